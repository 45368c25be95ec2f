export const summaries = {
  'firmware.delete': '從韌體目錄刪除映像檔；已綁定群組時會拒絕，並列出這些群組。',
  'firmware.list': '主帳號韌體目錄中的韌體，最新的在前。',
  'firmware.upload': '將映像檔加入韌體目錄。其結尾的簽章必須以受信任的金鑰簽署，並與指定的型號及版本相符。',
};

export const areas = { firmware: '韌體' };
