export const summaries = {
  'apiKeys.create': '建立 API 金鑰。金鑰只在此回應中顯示一次。',
  'apiKeys.list': '組織的 API 金鑰，或主帳號與其組織的 API 金鑰，最新的在前。',
  'apiKeys.operations': '此範圍的金鑰可以允許的呼叫，分組列出。',
  'apiKeys.revoke': '撤銷金鑰。金鑰立即失效，已開始的呼叫也會遭到拒絕。',
  'apiKeys.rotate': '以權限相同的新金鑰更換舊金鑰。舊金鑰在數小時內仍然有效，權限依原建立者而定，而非呼叫者。',
};

export const areas = { apiKeys: 'API 金鑰' };
