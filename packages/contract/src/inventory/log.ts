export const log = {
  'model.interval_changed': ['Changed the report interval of model {0}', '已變更型號 {0} 的回報間隔'],
  'models.interval_changed': ['Changed the report interval of {0} models', '已變更 {0} 個型號的回報間隔'],
  'router.added': ['Added router {0} to the inventory', '已將路由器 {0} 加入庫存'],
  'router.certificate_issued': ['Issued a client certificate for router {0}', '已為路由器 {0} 簽發用戶端憑證'],
  'router.certificate_revoked': ['Revoked a client certificate of router {0}', '已撤銷路由器 {0} 的用戶端憑證'],
  'router.endpoint_changed': ['Changed the endpoint ID of router {0}', '已變更路由器 {0} 的端點識別碼'],
  'router.identity_changed': ['Changed how router {0} proves its identity', '已變更路由器 {0} 的身分驗證方式'],
  'router.previous_secret_ended': ['Ended the former secret of router {0}', '已停用路由器 {0} 的舊金鑰'],
  'router.removed': ['Removed router {0} from the inventory', '已從庫存移除路由器 {0}'],
  'router.secret_minted': ['Rotated the secret of router {0}', '已更換路由器 {0} 的金鑰'],
  'routers.added': ['Added {0} routers to the inventory', '已將 {0} 台路由器加入庫存'],
  'routers.removed': ['Removed {0} routers from the inventory', '已從庫存移除 {0} 台路由器'],
} as const;
