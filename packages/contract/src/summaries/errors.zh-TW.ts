export const errors = {
  'summary.not_found': '此定期報表不存在。',
  'summary.too_many': '定期報表最多 50 份，請先刪除一份。',
  'summary.no_recipient': '請至少輸入一位收件人，或選擇不寄送。',
  'summary.link_invalid': '此連結已失效。',
};
