export const log = {
  'networks.repaired': ['Repaired the Wi-Fi of device {0}', '已修復裝置 {0} 的 Wi-Fi'],
  'networks.clients_settings': ['Changed what is kept of clients', '已變更用戶端資料的保留方式'],
} as const;
