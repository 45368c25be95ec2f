import { errors as ofDomains } from './domains/errors.zh-TW.ts';
import type { failuresOfPeople } from './errors.ts';

/** The failures that a person meets in Traditional Chinese. */
export const chineseErrors: Readonly<Record<keyof typeof failuresOfPeople, string>> = {
  'request.invalid': '要求內容無效。',
  'request.too_large': '要求內容過大。',
  'request.unsupported_media_type': '不支援此內容格式。',
  'request.origin': '此要求來自其他網站，已拒絕。',
  'request.too_many': '仍有太多同類要求正在處理，請稍候再試。',
  'permission.denied': '權限不足',
  'secret.unreadable': '已儲存的機密資料無法以此伺服器的主金鑰開啟。請重新輸入，或請伺服器的營運人員還原金鑰。',
  not_found: '找不到資料',
  'conflict.stale': '其他人已變更此內容，請查看目前的值。',
  'request.org_required': '請選擇組織',
  'impact.changed': '此變更的影響已與先前顯示的不同，請再確認一次。',
  'export.too_large': '活頁簿最多 1,048,575 列。請縮小查詢範圍，或改存為 CSV。',
  'csv.not_csv': '檔案類型錯誤',
  'csv.header': '第一列必須是欄位名稱。',
  'csv.dates_ambiguous': '檔案中的日期有兩種讀法，請選擇先寫日或先寫月。',
  'csv.empty': '檔案中沒有任何資料列。',
  'csv.all_failed': '所有資料列都無法新增。',
  'server.busy': '伺服器忙碌中，請稍候再試。',
  'server.fault': '系統發生問題。重複操作前，請先確認變更是否已儲存。',
  ...ofDomains,
};
