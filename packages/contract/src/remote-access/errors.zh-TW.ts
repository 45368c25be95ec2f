import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'remote.not_subscribed': '訂閱已到期，無法建立連線。',
  'remote.offline': '裝置離線，無法建立連線。',
  'remote.reset_impossible': '裝置離線或訂閱已到期，無法重設密碼。',
  'remote.reset_failed': '密碼重設失敗',
  'remote.reset_unsupported': '此路由器不支援重設密碼。',
  'remote.unsupported': '此路由器不提供遠端連線。',
  'remote.no_answer': '路由器未開啟連線，請稍候再試。',
  'router.not_connected': '路由器未連線，請待其上線後再試。',
  'router.no_answer': '路由器沒有回應，請稍候再試。',
  'remote.exists': '已有遠端連線。請先取消該連線，再建立新的連線。',
  'remote.not_connected': '目前沒有這種遠端連線，請先連線。',
  'remote.secret_told': '這組登入資料已顯示過，無法再次取得。',
  'remote.no_domain': '尚無法開啟路由器的網頁，請伺服器的營運人員先設定 TUNNEL_DOMAIN。',
  'remote.busy': '目前沒有可用的遠端連線，請稍後再試。',
};
