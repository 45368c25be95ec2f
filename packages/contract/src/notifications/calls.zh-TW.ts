export const summaries = {
  'notifications.bounce': '回報一封郵件遭退回，由郵件伺服器透過 `highline mail bounce` 執行；退信地址本身即為授權所需的秘密。',
  'notifications.delete': '刪除指定地址的通知設定。',
  'notifications.list': '組織的通知設定，依地址排序。',
  'notifications.save': '設定一個地址的通知；若未選擇任何事件，則停止其通知。接受 If-Match，其值為所依據的 `version`。',
  'notifications.sendAgain': '重新寄送未送達的郵件，沿用原本的 Message-ID。',
  'notifications.test': '立即寄送一封郵件到您自己的地址，並回應郵件伺服器的答覆；每小時最多十次。',
  'notifications.undelivered': '組織未送達的郵件，最新的在前。',
};

export const areas = { notifications: '通知' };
