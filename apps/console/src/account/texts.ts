import type { FailureKey } from '@highline/contract';
import type { Language } from '../ui/language.ts';

const english = {
  signIn: 'Sign in',
  welcome: 'Sign in to Highline',
  email: 'E-mail address',
  password: 'Password',
  show: 'Show the password',
  hide: 'Hide the password',
  forgot: 'Forgot password?',
  back: 'Back to sign in',
  enterEmail: 'Please enter the e-mail address',
  enterPassword: 'Please enter the password',
  badEmail: 'Invalid e-mail address format',
  wait: 'Too many tries. You can try again in {time}.',
  forgotTitle: 'Set a new password',
  forgotHint: 'We send a link to your e-mail address. It works once, for a short time.',
  sendLink: 'Send the link',
  linkSent: 'If an account with this address exists, a link is on its way. Please look into your mailbox.',
  resetTitle: 'Choose a new password',
  resetHint: '10 to 200 characters, not your e-mail address.',
  newPassword: 'New password',
  repeat: 'Repeat the new password',
  tooShort: 'Please choose a password of 10 to 200 characters.',
  different: 'The two passwords are not the same.',
  setPassword: 'Set the password',
  done: 'The new password is set. Every earlier session of this account has ended.',
  signedIn: 'Signed in. One moment…',
  language: '繁體中文',
};

/** Words of the sign-in page. It is its own small page, so it carries its own small catalogue. */
export type AccountTexts = Readonly<Record<keyof typeof english, string>>;

const chinese: AccountTexts = {
  signIn: '登入',
  welcome: '登入 Highline',
  email: '電子郵件地址',
  password: '密碼',
  show: '顯示密碼',
  hide: '隱藏密碼',
  forgot: '忘記密碼？',
  back: '返回登入',
  enterEmail: '請輸入電子郵件地址',
  enterPassword: '請輸入密碼',
  badEmail: '電子郵件地址格式不正確',
  wait: '嘗試次數過多，請於 {time} 後再試。',
  forgotTitle: '重設密碼',
  forgotHint: '我們會寄送一個連結到您的電子郵件地址，該連結僅能在短時間內使用一次。',
  sendLink: '寄送連結',
  linkSent: '如果此地址有對應的帳號，連結已寄出，請查看您的信箱。',
  resetTitle: '設定新密碼',
  resetHint: '10 到 200 個字元，且不可與電子郵件地址相同。',
  newPassword: '新密碼',
  repeat: '再次輸入新密碼',
  tooShort: '請設定 10 到 200 個字元的密碼。',
  different: '兩次輸入的密碼不一致。',
  setPassword: '設定密碼',
  done: '新密碼已設定，此帳號先前的所有登入皆已結束。',
  signedIn: '登入成功，請稍候…',
  language: 'English',
};

export const accountTexts: Readonly<Record<Language, AccountTexts>> = { 'en-US': english, 'zh-TW': chinese };

/** Failures that this page meets, in Chinese; English is the contract's own. */
export const chineseFailures: Readonly<Partial<Record<FailureKey | 'network', string>>> = {
  'account.wrong_password': '電子郵件地址或密碼不正確。',
  'account.link_invalid': '此連結已過期或已使用過，請重新申請。',
  'account.weak_password': '請設定 10 到 200 個字元的密碼，且不可與電子郵件地址相同。',
  'server.busy': '伺服器忙碌中，請稍候再試。',
  'server.fault': '系統發生問題，未變更任何資料，請再試一次。',
  'request.invalid': '請求內容無效。',
  network: '無法連線到伺服器，請再試一次。',
};
