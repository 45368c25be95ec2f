export const errors = {
  'summary.not_found': '此定期報表不存在。',
  'summary.too_many': '定期報表最多 50 份，請先刪除一份。',
  'summary.no_recipient': '請至少輸入一位收件者，或選擇不寄送。',
  'summary.not_paused': '此收件者並未暫停。',
  'summary.file_gone': '此檔案已不再保留。',
  'logo.too_large': '標誌檔案超過 512 kB。',
  'logo.too_many_pixels': '標誌的像素過多：每邊最多 2,000，總數最多一百萬。',
  'logo.unreadable': '無法使用此 PNG 或 JPEG：每色須為 8 位元，不可為交錯式或 CMYK。',
  'summary.link_invalid': '此連結已失效。',
};
