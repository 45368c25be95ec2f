import { chineseErrors } from '@highline/contract/errors-zh-TW';
import type { ErrorMessages } from './errors.en-US.ts';

export const errors = {
  ...Object.fromEntries(Object.entries(chineseErrors).map(([key, text]) => [key.replaceAll('.', '_'), text])),
  unexpected: '發生錯誤。請重新載入頁面後再試一次。',
  network: '無法連線到伺服器。您輸入的內容已保留，請再試一次。',
} as ErrorMessages;
