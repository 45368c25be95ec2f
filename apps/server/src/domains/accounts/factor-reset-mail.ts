import type { Language } from '@highline/contract';
import { escapeHtml } from '../../kernel/index.ts';
import type { MailContent } from './link-mail.ts';

const messages = {
  'en-US': {
    subject: 'Your Highline second factor was reset',
    lines: (name: string, by: string) => [
      `Hello ${name},`,
      `The second factor of your Highline account was reset by ${by}. You were signed out everywhere. Sign in with your password alone until you set up a new second factor in your profile.`,
      'If you did not request this, change your password now and contact your administrator.',
    ],
  },
  'zh-TW': {
    subject: '您的 Highline 雙重驗證已重設',
    lines: (name: string, by: string) => [
      `${name}，您好：`,
      `您的 Highline 帳號的雙重驗證已由 ${by} 重設，您已在所有裝置上登出。在個人資料中重新設定雙重驗證之前，僅需密碼即可登入。`,
      '若這不是您提出的要求，請立即變更密碼並通知您的管理員。',
    ],
  },
} as const;

/** The email to a person whose second factor another person reset. Names are user input and escaped. */
export function factorResetMail(language: Language, name: string, by: string): MailContent {
  const { subject, lines } = messages[language];
  const paragraphs = lines(name, by);
  const html = paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject,
    plain: `${paragraphs.join('\n\n')}\n\nHighline\n`,
    html: `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">\n${html}\n<p>Highline</p></body></html>\n`,
  };
}
