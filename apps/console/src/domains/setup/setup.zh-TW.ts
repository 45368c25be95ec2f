import type { setup as source } from './setup.en-US.ts';

export const setup: typeof source = {
  title: '設定進度',
  progress: '已完成 {{done}} 個步驟，共 {{all}} 個',
  note: '設定進度：已完成 {{done}}／{{all}} 個步驟。下一步：{{next}}。',
  done: '已完成',
  open: '尚未完成',
  look: '檢視',
  step: {
    stock: {
      title: '庫存中的路由器',
      why: '在庫存中新增路由器，即可取得其代理程式連線所需的金鑰。',
      button: '新增路由器',
    },
    organization: {
      title: '組織',
      why: '客戶擁有自己的車輛、人員與操作紀錄。',
      button: '建立組織',
    },
    admin: {
      title: '組織的第一位管理員',
      why: '聯絡人會收到邀請郵件，信中載明組織與邀請人的名稱。',
      button: '開啟組織',
    },
    device: {
      title: '裝置',
      why: '庫存中的路由器加入組織後即成為裝置，並具有訂閱。',
      button: '新增裝置',
    },
    connected: {
      title: '已連線過的裝置',
      why: '在路由器上啟動代理程式，裝置會在數秒內上線。',
      button: '開啟裝置',
    },
    person: {
      title: '第二位使用者',
      why: '您不在時，另有人可以登入。',
      button: '新增使用者',
    },
    rule: {
      title: '警報規則',
      why: '車輛失聯時，以郵件、Webhook 或聊天訊息通知，不必等駕駛來電。',
      button: '新增規則',
    },
    geofence: {
      title: '地理圍欄',
      why: '例如車場或停車場：地圖會顯示名稱，進出也會記錄在時間軸上。',
      button: '繪製地理圍欄',
    },
  },
};
