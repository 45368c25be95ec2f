import type { Translation } from '../../../ui/translation.ts';
import type { transfer as english } from './transfer.en-US.ts';

export const transfer: Translation<typeof english> = {
  enter: '移轉／刪除',
  count: '移轉（{{number}}）',
  chooseTitle: '移轉裝置',
  choose_other: '要將 {{shown}} 台裝置移轉到哪個組織？',
  target: '目標組織',
  find: '尋找組織…',
  more: '請繼續輸入以縮小範圍。',
  inThere: '目前的組織',
  next: '繼續',
  confirmTitle: '要移轉裝置嗎？',
  confirm_other: '確定要將所選的 {{shown}} 台裝置移轉至 {{name}} 嗎？',
  along:
    '歷史紀錄與 eSIM 會一併移轉，新組織的管理員可讀取這些 eSIM 的啟用碼。位置紀錄不會移轉。裝置會移出原本的群組，標籤也會移除；目前的組織將立即失去存取權。',
  lost: '以下項目將刪除或取消，且無法復原：',
  losses: {
    values_other: '{{shown}} 筆自訂屬性的值',
    pictures_other: '{{shown}} 張自訂屬性的圖片',
    settings_other: '{{shown}} 台裝置的個別路由器設定',
    commands_other: '{{shown}} 個等候中的指令',
  },
  checking: '正在檢查新組織會對這些裝置啟動哪些更新…',
  changed: '您確認之後情況已有變動，請再檢查一次。',
  bound: {
    firmware: '{{name}} 的預設群組已綁定韌體 {{file}}。',
    config: '{{name}} 的預設群組已綁定設定檔 {{file}}。',
  },
  now: {
    firmware_other: '{{shown}} 輛車將立即下載並重新啟動：',
    config_other: '{{shown}} 輛車將立即以新設定重新連線：',
  },
  offline_other: '{{shown}} 台離線的路由器會在連線後套用。',
  wayBack: '之後若無法連上雲端，路由器會自行恢復先前的韌體或設定檔。',
  typeTitle: '移轉至 {{name}}',
  type: '請輸入 {{word}} 以移轉所選的裝置。',
  do: '移轉',
  done_other: '{{shown}} 台裝置現已屬於 {{name}}',
};
