export const summaries = {
  'remoteAccess.cancel': '結束路由器的遠端連線，不論由組織的哪位使用者開啟。若沒有遠端連線，也不算錯誤。',
  'remoteAccess.clientAccess': '呼叫者目前能否開啟裝置的用戶端，或無法開啟的原因。',
  'remoteAccess.clientRule': '哪些人可以開啟車輛的哪些用戶端。',
  'remoteAccess.connect': '開啟連往路由器命令列或網頁的遠端連線。一次只能有一個；由路由器主動連到雲端。',
  'remoteAccess.endClient': '結束連往裝置用戶端的連線：呼叫者自己的，管理員則可結束任何使用者的。若沒有連線，也不算錯誤。',
  'remoteAccess.get': '路由器目前的遠端連線；沒有則為 null。',
  'remoteAccess.openClient':
    '開啟連往裝置用戶端某個連接埠的連線：網頁使用專屬的主機名稱，由第一個開啟的瀏覽器以 Cookie 保有；TCP 連接埠只接受呼叫者的位址。5 分鐘內接受新連線。',
  'remoteAccess.openClientTerminal':
    '以該用戶端的登入資料開啟連往其 SSH 伺服器的連線，供瀏覽器中的終端機使用。票證與錄影同 remoteAccess.openTerminal。',
  'remoteAccess.openTerminal':
    '開啟連往路由器命令列的遠端連線，供瀏覽器中的終端機使用。票證 30 秒內有效且只能使用一次，作為 WebSocket /terminal 的子協定。',
  'remoteAccess.resetPassword': '將路由器本身的登入資料重設為預設值。',
  'remoteAccess.saveClientRule':
    '依 IPv4 網段與連接埠允許角色開啟車輛的用戶端。重疊的範圍會在回應中合併。不再允許的連線會在數秒內結束。可用 If-Match 帶入其 `version`。',
  'remoteAccess.secret': '剛開啟之遠端連線的登入資料，專為該次連線產生，只回應一次，5 分鐘內有效。',
};

export const areas = { remoteAccess: '遠端連線' };
