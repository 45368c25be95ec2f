import type { Translation } from '../ui/translation.ts';
import type { session as english } from './session.en-US.ts';

export const session: Translation<typeof english> = {
  signIn: '登入',
  frame: '登入頁面',
  ended: '您的登入已逾時，請重新登入。',
  endedKept: '您的登入已逾時，請重新登入；您輸入的內容已保留。',
  everywhere: '您已在所有裝置上登出，此帳號的所有登入均已結束。',
  noFrame: '無法載入登入頁面。',
  signingIn: '登入中…',
  signingOut: '登出中…',
};
