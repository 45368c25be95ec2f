import type { Language } from '@highline/contract';
import { escapeHtml } from '../../kernel/index.ts';
import { greetingOf, type MailContent } from './link-mail.ts';

interface Message {
  readonly subject: string;
  /** @param other who reset it, or where the codes came from */
  readonly lines: (other: string) => readonly string[];
}

const reset: Readonly<Record<Language, Message>> = {
  'en-US': {
    subject: 'Your Highline second factor was reset',
    lines: (by) => [
      `The second factor of your Highline account was reset by ${by}. You were signed out everywhere. Sign in with your password alone until you set up a new second factor in your profile.`,
      'If you did not request this, change your password now and contact your administrator.',
    ],
  },
  'zh-TW': {
    subject: '您的 Highline 雙重驗證已重設',
    lines: (by) => [
      `您的 Highline 帳號的雙重驗證已由 ${by} 重設，您已在所有裝置上登出。在個人資料中重新設定雙重驗證之前，僅需密碼即可登入。`,
      '若這不是您提出的要求，請立即變更密碼並通知您的管理員。',
    ],
  },
};

const guessed: Readonly<Record<Language, Message>> = {
  'en-US': {
    subject: 'Wrong codes were entered for your Highline account',
    lines: (address) => [
      `Ten wrong codes of your second factor were entered within a day, each after your password. The last one came from ${address}. No one was signed in with them.`,
      'If this was not you, someone knows your password: change it now and contact your administrator.',
    ],
  },
  'zh-TW': {
    subject: '有人多次輸入錯誤的 Highline 驗證碼',
    lines: (address) => [
      `一天之內，有人在輸入您的密碼後，共輸入了十次錯誤的雙重驗證碼，最後一次來自 ${address}。這些嘗試均未成功登入。`,
      '若這不是您本人所為，表示已有人知道您的密碼，請立即變更密碼並通知您的管理員。',
    ],
  },
};

/** The email to a person whose second factor another person reset. */
export const factorResetMail = (language: Language, name: string, by: string): MailContent =>
  mailOf(reset[language], language, name, by);

/** The email to a person for whose account ten wrong codes were entered. */
export const wrongCodesMail = (language: Language, name: string, address: string): MailContent =>
  mailOf(guessed[language], language, name, address);

/** Names are user input and escaped. */
function mailOf({ subject, lines }: Message, language: Language, name: string, other: string): MailContent {
  const paragraphs = [greetingOf(language, name), ...lines(other)];
  const html = paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject,
    plain: `${paragraphs.join('\n\n')}\n\nHighline\n`,
    html: `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">\n${html}\n<p>Highline</p></body></html>\n`,
  };
}
