import type { Translation } from '../../../ui/translation.ts';
import type { wizard as english } from './wizard.en-US.ts';

export const wizard: Translation<typeof english> = {
  title: '新增組織',
  organization: '組織',
  back: '上一步',
  continue: '繼續',
  skip: '略過',
  submit: '新增組織',
  steps: {
    label: '步驟',
    info: '基本資料',
    devices: '裝置',
    summary: '摘要',
  },
  field: {
    name: '組織名稱',
    email: '聯絡人電子郵件',
    phone: '電話',
    address: '地址',
  },
  emailHint: '此人會收到邀請郵件，並成為該組織的第一位管理員。',
  badEmail: '電子郵件格式無效',
  bothFirst: '請先輸入組織名稱與聯絡人電子郵件。',
  restored: '已還原您先前輸入的內容。',
  kept: '組織尚未建立。您輸入的內容仍保留在此。',
  startOver: '重新開始',
  file: '裝置 CSV 檔案（SN、MAC）',
  fileHint: 'MAC 位址格式為 XX:XX:XX:XX:XX:XX。若不選擇檔案，組織一開始將沒有裝置。',
  fileGone: '頁面已重新載入，檔案「{{name}}」已不在選取中。請重新選擇，或略過此步驟。',
  checking: '正在檢查檔案…',
  checkFirst: '請等待檔案檢查完成。',
  noneGood: '此檔案沒有任何可新增的列，請選擇其他檔案或將其移除。',
  checked: '{{total}} 列中有 {{success}} 列可以新增。',
  leftOut: '繼續後，有錯誤的列將略過。',
  template: {
    title: '組織裝置範本',
    mandatory: 'SN 與 MAC 為必填，且必須與庫存資料相符。',
    mac: 'MAC 請以 XX:XX:XX:XX:XX:XX 格式填寫。',
    dates: '開始日與到期日（MM/DD/YYYY，UTC）為選填；若未填寫，裝置為未訂閱。',
  },
  summary: {
    devices: '裝置',
    none: '無',
    file: '{{name}}：{{total}} 列中的 {{success}} 列',
  },
  notUploaded: '組織已建立，但裝置尚未新增。請到「新增裝置」頁面以同一個檔案新增。',
};
