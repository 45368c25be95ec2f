export const summaries = {
  'identityProviders.list': '自己公司的身分識別提供者；主帳號也會列出其組織的。',
  'identityProviders.create': '新增自己公司的身分識別提供者：OpenID Connect，含探索、授權碼與 PKCE。',
  'identityProviders.save':
    '取代自己公司身分識別提供者的欄位。要求只能由其登入後，以密碼登入的工作階段會結束。可用 If-Match 帶入其 `version`。',
  'identityProviders.delete': '刪除自己公司的身分識別提供者，並結束透過它的工作階段。',
  'identityProviders.test': '不登入即測試與身分識別提供者的連線，並說明問題所在。',
  'identityProviders.confirmDomain': '以含有 `text` 的 DNS 紀錄，確認自己公司身分識別提供者的網域。',
  'identityProviders.assignDomain': '由主帳號將網域指派給組織的身分識別提供者，或收回，以取代 DNS 紀錄。',
  'identityProviders.begin': '以電子郵件地址所屬的身分識別提供者開始登入；回傳要在此瀏覽器開啟的網址。',
  'identityProviders.confirmation': '此人員是否可用身分識別提供者再次登入以取代自己的密碼，以及是否剛完成。',
  'identityProviders.beginConfirmation':
    '以此工作階段的身分識別提供者再次登入，無論是否已在該處登入；回傳要開啟的網址。之後數分鐘內，需要自己密碼的操作不再需要密碼。',
  'identityProviders.finish': '身分識別提供者將瀏覽器導回之處：完成登入並開啟主控台。',
  'identityProviders.logout': '代表身分識別提供者結束工作階段：OpenID Connect Back-Channel Logout 1.0。',
};

export const areas = { identityProviders: '身分識別提供者' };
