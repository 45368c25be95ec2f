export const summaries = {
  'visits.list': '本組織的支援存取與來賓，由新到舊；加上 `mine` 則為呼叫者可進入的其他組織。',
  'visits.open':
    '讓主帳號人員在數小時內或直到結束為止以指定角色在本組織操作（`support`），或讓其他公司的人員在期限內以來賓身分操作（`guest`）。新的支援存取會取代先前的。',
  'visits.end': '立即結束支援存取或來賓身分，並中斷其工作階段、串流與遠端連線。',
  'visits.enter': '此工作階段從現在起以支援或來賓身分在該組織操作。',
  'visits.leave': '此工作階段回到自己的公司。',
};

export const areas = { visits: '支援與來賓' };
