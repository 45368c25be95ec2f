export const errors = {
  'scim.too_many': '金鑰最多 3 個，請先撤銷一個。',
  'scim.secret_not_found': '此金鑰不存在。',
  'scim.group_not_found': '目錄服務的這個群組不存在。',
} as const;
