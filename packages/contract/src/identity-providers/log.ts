export const log = {
  'provider.created': ['Added the identity provider {0}', '已新增身分識別提供者 {0}'],
  'provider.changed': ['Changed the identity provider {0}', '已變更身分識別提供者 {0}'],
  'provider.deleted': ['Deleted the identity provider {0}', '已刪除身分識別提供者 {0}'],
  'provider.tested': ['Tested the connection to the identity provider {0}', '已測試與身分識別提供者 {0} 的連線'],
  'provider.domain_confirmed': ['Confirmed the domain {0} for the identity provider {1}', '已為身分識別提供者 {1} 確認網域 {0}'],
  'provider.domain_taken_away': [
    'Took the domain {0} away from the identity provider {1}',
    '已從身分識別提供者 {1} 移除網域 {0}',
  ],
  'session.signed_in_by': ['Signed in by {0}', '已透過 {0} 登入'],
  'session.confirmed_by': ['Signed in again by {0}, to confirm an act', '已透過 {0} 再次登入以確認操作'],
  'session.ended_by': ['Signed out by {0}', '已由 {0} 登出'],
  'account.created_by': ['{0} was added at the first sign-in by {1}', '{0} 於首次透過 {1} 登入時加入'],
  'account.role_changed_by': ['The role of {0} was changed to {1} by {2}', '{0} 的角色已由 {2} 變更為{1}'],
  'account.limited_by': ['What {0} sees was changed by {1}', '{0} 可看到的內容已由 {1} 變更'],
  'account.email_changed_by': ['The address {0} was changed to {1} by {2}', '地址 {0} 已由 {2} 變更為 {1}'],
} as const;
