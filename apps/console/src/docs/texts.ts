import { type Language, useLanguage } from '../ui/language.ts';

const english = {
  title: 'Highline API',
  version: 'Version {version}',
  search: 'Search calls',
  areas: 'Areas',
  none: 'No call matches.',
  loading: 'Loading…',
  failed: 'The description of the calls could not be loaded.',
  again: 'Try again',
  console: 'Console',
  download: 'openapi.json',
  calls: 'Calls: {count}',
  auth: 'API keys',
  authText:
    'Create a key in the console under “API keys”, with the calls that it may make. Send it with each call. A key is shown once; the log names it in each entry.',
  once: 'Once',
  onceText:
    'A POST takes an Idempotency-Key: the same text with the same request is done once, and the first answer is repeated for 24 hours if it has at most 64 kB.',
  limits: 'Limits',
  limitsText:
    '600 calls a minute for each key, 3,000 for all keys of one organization. RateLimit says what is left; above it the answer is 429 with Retry-After.',
  failures: 'Failures',
  failuresText: 'A failed call answers its HTTP status and a body with a key that stays the same and a message for people.',
  pages: 'Pages',
  pagesText: 'Lists take limit and cursor. Ask again with next of the answer as the cursor, until next is null.',
  client: 'Client and command line',
  clientText:
    'The typed client packages/client has no dependencies. It repeats calls after Retry-After, follows pages and streams files. The command highline api makes every call.',
  public: 'no key needed',
  parameters: 'Parameters',
  body: 'Request',
  response: 'Answer',
  field: 'Field',
  type: 'Type',
  values: 'Values',
  required: 'required',
  path: 'path',
  query: 'query',
  example: 'Example',
  curl: 'curl',
  cli: 'Command line',
  typed: 'Client',
  copy: 'Copy',
  copied: 'Copied',
  language: 'Language',
};
export type DocsTexts = typeof english;

const chinese: DocsTexts = {
  title: 'Highline API 說明',
  version: '版本 {version}',
  search: '搜尋呼叫',
  areas: '分類',
  none: '沒有符合的呼叫。',
  loading: '載入中…',
  failed: '無法載入呼叫的說明。',
  again: '重試',
  console: '主控台',
  download: 'openapi.json',
  calls: '呼叫：{count} 個',
  auth: 'API 金鑰',
  authText:
    '在主控台的「API 金鑰」建立金鑰，並選擇可以使用的呼叫。每次呼叫都要附上金鑰。金鑰只顯示一次；操作紀錄的每一筆都會寫出金鑰名稱。',
  once: '只執行一次',
  onceText:
    'POST 可以附上 Idempotency-Key：同樣的文字配同樣的要求只會執行一次，24 小時內重複送出會得到第一次的回應（上限 64 kB）。',
  limits: '限制',
  limitsText:
    '每把金鑰每分鐘 600 次，同一組織的所有金鑰合計 3,000 次。RateLimit 標頭顯示剩餘次數；超過時回應 429 並附上 Retry-After。',
  failures: '失敗',
  failuresText: '失敗的呼叫會回應 HTTP 狀態碼，內容包含固定不變的代碼與給人看的訊息。',
  pages: '分頁',
  pagesText: '清單接受 limit 與 cursor。以回應中的 next 作為 cursor 再次呼叫，直到 next 為 null。',
  client: '用戶端程式庫與命令列',
  clientText:
    '具型別的用戶端程式庫 packages/client 沒有相依套件，會依 Retry-After 重試、自動換頁並以串流下載檔案。命令 highline api 可以執行所有呼叫。',
  public: '不需金鑰',
  parameters: '參數',
  body: '要求內容',
  response: '回應',
  field: '欄位',
  type: '型別',
  values: '允許的值',
  required: '必填',
  path: '路徑',
  query: '查詢',
  example: '範例',
  curl: 'curl 指令',
  cli: '命令列',
  typed: '用戶端程式庫',
  copy: '複製',
  copied: '已複製',
  language: '語言',
};

const texts: Readonly<Record<Language, DocsTexts>> = { 'en-US': english, 'zh-TW': chinese };

/** The texts of the page in the current language; those of each call are in openapi.json and calls.zh-TW.ts. */
export function useDocsTexts(): DocsTexts {
  return texts[useLanguage()];
}
