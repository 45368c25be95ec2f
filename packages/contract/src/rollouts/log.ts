export const log = {
  'rollout.cancelled': ['Cancelled the rollout of {0}', '已取消 {0} 的部署'],
  'rollout.paused': ['Paused the rollout of {0}', '已暫停 {0} 的部署'],
  'rollout.paused_itself': [
    'Paused the rollout of {0}: {1} of {2} routers failed',
    '已暫停 {0} 的部署：{2} 台路由器中有 {1} 台失敗',
  ],
  'rollout.resumed': ['Resumed the rollout of {0}', '已繼續 {0} 的部署'],
  'rollout.retried': ['Retried the rollout of {0}', '已重試 {0} 的部署'],
  'part.config': ['config file {0}', '設定檔 {0} '],
  'part.firmware': ['firmware {0}', '韌體 {0} '],
} as const;
