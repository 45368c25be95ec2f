export const summaries = {
  'approvals.getPolicy': '貴公司哪些操作需要第二人核准。',
  'approvals.savePolicy':
    '設定貴公司哪些操作需要第二人核准，須輸入自己的密碼。規則生效期間，放寬規則本身也須第二人核准：409 `approval.waiting`。可搭配 If-Match 與 `version`。',
  'approvals.list': '貴公司等待第二人核准的操作，以及最近 90 天內已結束的申請，由新到舊。',
  'approvals.decide': '以操作對象的 `confirmation` 核准申請，操作隨即執行；或附上理由退回。申請人只能撤回。',
};

export const areas = { approvals: '雙人核准' };
