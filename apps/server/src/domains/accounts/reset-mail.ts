import type { Language } from '@highline/contract';
import { linkMail, type MailContent } from './link-mail.ts';

const messages = {
  'en-US': {
    subject: 'Set a new Highline password',
    text: 'We received a request to reset the password of your Highline account. If it was you, open this link within one hour:',
    ignore: 'If it was not you, ignore this email. Your password stays the same.',
    button: 'Set a new password',
  },
  'zh-TW': {
    subject: '設定新的 Highline 密碼',
    text: '我們收到重設您 Highline 帳號密碼的要求。若是您本人，請在一小時內開啟以下連結：',
    ignore: '若不是您本人，請忽略此郵件，您的密碼維持不變。',
    button: '設定新密碼',
  },
} as const;

/** The email for a forgotten password, as plain text and HTML. */
export function resetMail(language: Language, name: string, link: string): MailContent {
  return linkMail(language, messages[language], name, link);
}
