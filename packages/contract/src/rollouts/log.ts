export const log = {
  'rollout.cancelled': ['Cancelled the rollout of {0}', '已取消 {0} 的部署'],
  'rollout.paused': ['Paused the rollout of {0}', '已暫停 {0} 的部署'],
  'rollout.paused_itself': [
    'Paused the rollout of {0}: {1} of {2} routers failed',
    '已暫停 {0} 的部署：{2} 台路由器中有 {1} 台失敗',
  ],
  'rollout.continued': ['Continued the rollout of {0} with wave {1} of {2}', '已繼續 {0} 的部署：第 {1} 批，共 {2} 批'],
  'rollout.continued_itself': ['Wave {1} of {2} of the rollout of {0} began', '{0} 的部署開始第 {1} 批，共 {2} 批'],
  'rollout.cut_back': ['Cut the rollout of {0} back to wave {1} of {2}', '已將 {0} 的部署退回第 {1} 批，共 {2} 批'],
  'rollout.resumed': ['Resumed the rollout of {0}', '已繼續 {0} 的部署'],
  'rollout.retried': ['Retried the rollout of {0}', '已重試 {0} 的部署'],
  'part.config': ['config file {0}', '設定檔 {0} '],
  'settings.rolled_out': ['Began the rollout of the router settings of {0}, version {1}', '已開始部署{0}的路由器設定，第 {1} 版'],
  'part.settings': ['router settings, version {0}', '路由器設定第 {0} 版'],
  'part.firmware': ['firmware {0}', '韌體 {0} '],
} as const;
