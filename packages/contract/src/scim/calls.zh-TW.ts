export const summaries = {
  'scim.get': '組織的目錄服務：呼叫位址、金鑰、群組與其角色，以及最近的呼叫。',
  'scim.saveRoles': '選擇目錄服務各群組的人員可以做什麼；立即生效。可用 If-Match 帶入其 `version`。',
  'scim.createSecret': '建立組織的目錄服務用來登入的金鑰。只會在回應中顯示一次。',
  'scim.revokeSecret': '撤銷目錄服務的金鑰，立即拒絕使用。',
};

export const areas = { scim: '目錄服務' };
