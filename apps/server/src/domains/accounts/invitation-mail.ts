import type { Language, Role } from '@highline/contract';
import { linkMail, withoutLinks, type MailContent } from './link-mail.ts';

const catalogue = {
  'en-US': {
    subject: 'You are invited to Highline',
    text: (inviter: string, organization: string, role: string) =>
      `${inviter} invited you to ${organization} on Highline as ${role}. Open this link within seven days and choose a password:`,
    roles: { main: 'a colleague', admin: 'an admin', user: 'a user with read access' },
    ignore: 'If you did not expect this invitation, ignore this email.',
    button: 'Accept invitation',
  },
  'zh-TW': {
    subject: '您受邀使用 Highline',
    text: (inviter: string, organization: string, role: string) =>
      `${inviter} 邀請您以${role}身分加入 Highline 上的「${organization}」。請在七天內開啟以下連結並設定密碼：`,
    roles: { main: '同事', admin: '管理員', user: '唯讀使用者' },
    ignore: '若您未預期收到此邀請，請忽略此郵件。',
    button: '接受邀請',
  },
} as const;

/** Who is invited by whom, to what. Names are typed by users. */
export interface InvitationTexts {
  readonly name: string;
  readonly inviter: string;
  /** Name of the organization, or of the main account. */
  readonly tenant: string;
  readonly role: Role;
}

/** The email that invites a person to an organization. */
export function invitationMail(language: Language, { name, inviter, tenant, role }: InvitationTexts, link: string): MailContent {
  const { text, roles, ...messages } = catalogue[language];
  return linkMail(language, { ...messages, text: text(withoutLinks(inviter), withoutLinks(tenant), roles[role]) }, name, link);
}
