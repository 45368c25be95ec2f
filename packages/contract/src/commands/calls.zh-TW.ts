export const summaries = {
  'commands.add': '從固定的動作中定義自訂指令。',
  'commands.cancel': '取消等待路由器的指令；已送出的指令無法取消。',
  'commands.delete': '刪除自訂指令。',
  'commands.list': '組織的自訂指令，最多 32 個，依名稱排序。',
  'commands.run': '在一台路由器上執行自訂指令，並回應路由器本身的訊息。',
  'commands.send':
    '將指令送至一台路由器：以 ID 指定自訂指令（`command`），或指定內建指令（`kind`）。加上 `wait` 時，若路由器未連線，指令最多等待該時數；每台路由器一次只執行一個指令。',
  'commands.sent': '路由器的指令，最新的在前，可限定單一裝置或工作；已結束的指令保留 90 天。',
  'commands.save': '變更自訂指令的名稱或參數，釘選或取消釘選：最多釘選 2 個。支援 If-Match。',
};

export const areas = { commands: '自訂指令' };
