import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'report.too_slow': '此查詢耗時過久，請縮短期間，或只選一個群組或一台裝置。',
  'report.too_many': '您已儲存 100 份報表。請先刪除一份。',
  'report.time_range': '結束時間必須晚於開始時間，且兩者都在資料保留期間內。',
};
