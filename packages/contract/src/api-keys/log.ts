export const log = {
  'key.created': ['Created API key {0}', '已建立 API 金鑰 {0}'],
  'key.revoked': ['Revoked API key {0}', '已撤銷 API 金鑰 {0}'],
  'key.rotated': ['Rotated API key {0}', '已更換 API 金鑰 {0}'],
} as const;
