import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'job.not_found': '此工作已不存在。',
  'job.too_many': '已有五個工作正在執行，請等其中一個結束，或取消一個。',
  'job.active': '此工作仍在執行，請等候其結束，或將其取消。',
  'job.ended': '此工作已結束。',
  'job.nothing_selected': '沒有符合的裝置，請至少選擇一台。',
  'job.nothing_failed': '此工作沒有失敗的裝置，或已重試過。',
  'job.not_undoable': '此工作無法復原，或已復原過。',
};
