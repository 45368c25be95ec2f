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
  'routerPasswords.list': '裝置本身網頁的密碼狀態，依 ID 排序，不含密碼。',
  'routerPasswords.set':
    '設定路由器使用者的密碼，可自行輸入或隨機產生，立即設定，或以 `wait` 待其連線。隨機密碼包含在此回應中；之後可用另一個呼叫顯示。',
  'routerPasswords.show': '顯示路由器可能使用的密碼，最新的在前，並留下紀錄。使用者須送出帳號本身的密碼，API 金鑰則不需要。',
  'routerPasswords.settings': '組織如何產生路由器的密碼，以及何時到期。',
  'routerPasswords.saveSettings': '變更路由器密碼的產生方式與到期天數；自動更換須設定天數。可用 If-Match 帶入其 `version`。',
};

export const areas = { commands: '自訂指令', routerPasswords: '路由器密碼' };
