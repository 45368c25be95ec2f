import type { Translation } from '../../ui/translation.ts';
import type { remote as english } from './remote-access.en-US.ts';

export const remote: Translation<typeof english> = {
  connect: '連線',
  reset: '重設密碼',
  adminsOnly: '只有管理員可以連線至路由器或重設其密碼。',
  type: { ssh: 'SSH 終端機', gui: '網頁介面（HTTPS）' },
  about: {
    ssh: '在您自己的終端機中使用路由器的命令列。',
    gui: '在此瀏覽器的新分頁中開啟路由器的網頁。',
  },
  active: {
    title: '遠端連線',
    own: '由您開啟',
    by: '由 {{who}} 開啟',
    inUse: '目前有使用中的遠端連線，請先取消才能再次連線。',
  },
  choice: {
    title: '連線至 {{name}}',
    legend: '要以何種方式連線？',
    next: '下一步',
  },
  connecting: {
    title: '正在連線至 {{name}}',
    text: '路由器正在開啟連線，可能需要幾秒鐘。',
  },
  open: {
    ssh: '以 SSH 連線至 {{name}}',
    gui: '{{name}} 的網頁介面',
    hint: '請在時間結束前登入，這組登入資料無法再次顯示。',
    host: 'IP 位址',
    port: '連接埠',
    username: '使用者名稱',
    password: '密碼',
    command: '指令',
    openPage: '開啟網頁',
    opened: '路由器的網頁已在新分頁開啟，請在該處登入。',
    blocked: '瀏覽器未允許自動開啟路由器的網頁。',
    timeLeft: '剩餘時間',
    minutesLeft_other: '剩餘 {{count}} 分鐘',
    expired: '登入資料已過期。',
    ended: '連線已結束。',
    hintOf: {
      expired: '已登入的連線可繼續使用。若要重新登入，請先取消連線，再重新連線。',
      expiredUnused: '無人登入，連線已結束。請重新連線以取得新的登入資料。',
      ended: '請重新連線以使用路由器。',
    },
    done: '完成',
  },
  close: {
    title: '要關閉此對話框嗎？',
    text: '登入資料無法再次取得。',
    hint: '連線會保持開啟，直到您取消或不再使用為止。',
    yes: '關閉',
    no: '返回',
  },
  cancel: {
    action: '取消連線',
    title: '取消連線',
    question: '要取消 {{who}} 的連線嗎？使用中的人會立即斷線。',
    keep: '保留連線',
    done: '連線已結束。',
  },
  exists: {
    title: '已有連線',
    text: '已有遠端連線。請先取消該連線，再建立新的連線。',
    whose: '由 {{who}} 開啟，取消後對方會立即斷線。',
  },
  errorTitle: '連線錯誤',
  resetting: {
    title: '重設密碼',
    question: '要將 {{name}} 的管理員登入資料重設為預設值嗎？',
    warning: '在路由器端變更之前，知道預設值的人都能登入其網頁。',
    yes: '重設',
    done: '裝置的管理員登入資料已重設為預設值。',
    failed: '密碼重設失敗',
  },
};
