export const summaries = {
  'networks.read': '裝置的對外連線、Wi-Fi 或用戶端：路由器連線時即時讀取（最多每 4 秒一次），否則為上次回報的內容。',
  'networks.repair': '若原因仍然存在，開啟路由器上造成 Wi-Fi 無法使用的設定。',
};

export const areas = { networks: '網路' };
