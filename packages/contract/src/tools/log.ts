export const log = {
  'tool.ran': ['Ran {0} on device {1}', '已在裝置 {1} 上執行{0}'],
  'tool.downloaded': ['Downloaded the file of {0} of device {1}', '已下載裝置 {1} 的{0}檔案'],
  'tool.bundled': ['Downloaded the support bundle of device {0}', '已下載裝置 {0} 的支援資料包'],
  'tool.targets': ['Changed which addresses routers may test', '已變更路由器可檢測的位址'],
  'tool.ping': ['a ping', '連線測試（ping）'],
  'tool.traceroute': ['a traceroute', '路徑追蹤'],
  'tool.dns': ['a DNS lookup', 'DNS 查詢'],
  'tool.download': ['a speed test (download)', '速度測試（下載）'],
  'tool.upload': ['a speed test (upload)', '速度測試（上傳）'],
  'tool.capture': ['a packet capture', '封包擷取'],
  'tool.log': ['an upload of its log', '記錄檔上傳'],
} as const;
