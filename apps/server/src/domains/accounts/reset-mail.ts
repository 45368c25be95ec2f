import type { Language } from '../mails/index.ts';
import { linkMail, type Mail } from './link-mail.ts';

const words = {
  'en-US': {
    subject: 'Set a new Highline password',
    greeting: (name: string) => `Hello ${name},`,
    text: 'a new password was requested for your Highline account. If that was you, open this link within one hour:',
    ignore: 'If it was not you, you can ignore this mail; your password stays the same.',
    button: 'Set a new password',
  },
  'zh-TW': {
    subject: '設定新的 Highline 密碼',
    greeting: (name: string) => `${name} 您好：`,
    text: '有人要求為您的 Highline 帳號設定新密碼。若是您本人，請在一小時內開啟以下連結：',
    ignore: '若不是您本人，不需採取任何動作，您的密碼維持不變。',
    button: '設定新密碼',
  },
} as const;

/** The mail of a forgotten password, in both forms. */
export function resetMail(language: Language, name: string, link: string): Mail {
  return linkMail(language, words[language], name, link);
}
