export const summaries = {
  'roles.create': '以權限建立角色。',
  'roles.delete': '刪除角色。擁有此角色的人員需要改用另一個角色：自訂角色或使用者角色。',
  'roles.give': '將自訂角色指派給人員，或取消（null）。管理員會因此成為使用者。',
  'roles.list': '組織的自訂角色，或主帳號為自己的人員與其組織建立的角色，最新的在前。',
  'roles.rights': '呼叫者可授予此範圍之角色的權限，以及各權限所允許的呼叫。',
  'roles.save': '取代角色的名稱、權限與限制，對所有擁有者立即生效。支援以 `version` 作為 If-Match。',
  'roles.show': '單一自訂角色，以及擁有此角色的人員。',
};

export const areas = { roles: '自訂角色' };
