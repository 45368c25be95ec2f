export const summaries = {
  'remoteAccess.cancel': '結束路由器的遠端連線，不論由組織的哪位使用者開啟。若沒有遠端連線，也不算錯誤。',
  'remoteAccess.connect': '開啟連往路由器命令列或網頁的遠端連線。一次只能有一個；由路由器主動連到雲端。',
  'remoteAccess.get': '路由器目前的遠端連線；沒有則為 null。',
  'remoteAccess.openTerminal':
    '開啟連往路由器命令列的遠端連線，供瀏覽器中的終端機使用。票證 30 秒內有效且只能使用一次，作為 WebSocket /terminal 的子協定。',
  'remoteAccess.resetPassword': '將路由器本身的登入資料重設為預設值。',
  'remoteAccess.secret': '剛開啟之遠端連線的登入資料，專為該次連線產生，只回應一次，5 分鐘內有效。',
};

export const areas = { remoteAccess: '遠端連線' };
