export const log = {
  'link.created': ['Shared {0} by a link until {1}', '已以連結分享 {0}，至 {1} 為止'],
  'link.revoked': ['Ended the link to {0} (opened {1} times)', '已結束 {0} 的分享連結（開啟 {1} 次）'],
  'link.ended': ['The link to {0} has ended (opened {1} times)', '{0} 的分享連結已失效（開啟 {1} 次）'],
} as const;
