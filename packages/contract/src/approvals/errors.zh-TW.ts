import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'approval.waiting': '此操作需由第二人核准，目前尚未有任何變更。',
  'approval.changed': '此操作的對象已有變動，請重新確認。',
  'approval.not_found': '此申請不存在。',
  'approval.not_waiting': '此申請已不在等待核准。',
  'approval.own': '不能核准自己的申請，須由第二人核准。',
  'approval.in_person': '只有登入的人員可以這麼做，程式不行。',
  'approval.requester': '申請人已無權執行此操作，請退回申請。',
  'approval.too_many': '最多可有 200 個等待核准的申請，請先處理或撤回部分申請。',
  'approval.new_secret': '請先還原先前的設定，核准後再變更機密值。',
  'approval.no_second': '必須有第二位可登入且權限不受限的管理員，才能核准。',
  'approval.rule_elsewhere': '刪除組織的規則屬於主帳號，其他規則屬於各個組織。',
  'approval.sign_in_again': '請重新登入，並在十分鐘內儲存。',
  'approval.reason': '請說明理由，讓申請人知道。',
};
