export const log = {
  'networks.repaired': ['Repaired the Wi-Fi of device {0}', '已修復裝置 {0} 的 Wi-Fi'],
} as const;
