import type { Language } from '@highline/contract';
import { linkMail, withoutLinks, type MailContent } from './link-mail.ts';

const catalogue = {
  'en-US': {
    subject: 'You are invited to Highline',
    greeting: (name: string) => `Hello ${name},`,
    text: (organization: string) =>
      `You have been invited to ${organization} on Highline. Open this link within seven days and choose a password:`,
    ignore: 'If you did not expect this invitation, ignore this email.',
    button: 'Accept invitation',
  },
  'zh-TW': {
    subject: '您受邀使用 Highline',
    greeting: (name: string) => `${name} 您好：`,
    text: (organization: string) => `您受邀加入 Highline 上的「${organization}」。請在七天內開啟以下連結並設定密碼：`,
    ignore: '若您未預期收到此邀請，請忽略此郵件。',
    button: '接受邀請',
  },
} as const;

/** The email that invites a person to an organization. */
export function invitationMail(language: Language, name: string, organization: string, link: string): MailContent {
  const messages = catalogue[language];
  return linkMail(language, { ...messages, text: messages.text(withoutLinks(organization)) }, name, link);
}
