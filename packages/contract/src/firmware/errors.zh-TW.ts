import type { errors as english } from './errors.ts';

export const errors: Readonly<Record<keyof typeof english, string>> = {
  'firmware.not_found': '此韌體不存在。',
  'firmware.duplicate': '目錄中已有此型號的相同版本。',
  'firmware.empty': '檔案是空的。',
  'firmware.too_large': '檔案超過韌體映像檔的大小上限。',
  'firmware.truncated': '映像檔不完整，請上傳完整的檔案。',
  'firmware.unsigned': '映像檔沒有簽章。',
  'firmware.bad_signature': '此映像檔並非以受信任的金鑰簽署。',
  'firmware.mismatch': '映像檔是為其他型號或版本簽署的。',
  'firmware.wrong_model': '此韌體適用於其他型號，與群組內的路由器不符。',
  'firmware.bound': '此韌體已綁定群組，請先從群組移除。',
};
