import type { Language } from '@highline/contract';
import { escapeHtml } from '../../kernel/index.ts';
import { greetingOf, withoutLinks, type MailContent } from './link-mail.ts';

/** What a mail about a person's sign-ins says; `what` is a name, an address or a browser. */
interface Message {
  readonly subject: string;
  readonly lines: (what: string) => readonly string[];
}
type Messages = Readonly<Record<Language, Message>>;

const unexpected: Readonly<Record<Language, string>> = {
  'en-US': 'If this was not you, change your password now and contact your administrator.',
  'zh-TW': '若這不是您本人所為，請立即變更密碼並通知您的管理員。',
};

const messages = {
  passkeyAdded: {
    'en-US': {
      subject: 'A passkey was added to your Highline account',
      lines: (name) => [`The passkey “${name}” was added to your Highline account. It signs in without your password.`],
    },
    'zh-TW': {
      subject: '您的 Highline 帳號已新增通行金鑰',
      lines: (name) => [`通行金鑰「${name}」已加入您的 Highline 帳號，可不使用密碼登入。`],
    },
  },
  passkeyRemoved: {
    'en-US': {
      subject: 'A passkey was removed from your Highline account',
      lines: (name) => [`The passkey “${name}” was removed from your Highline account. It no longer signs in.`],
    },
    'zh-TW': {
      subject: '您的 Highline 帳號已移除通行金鑰',
      lines: (name) => [`通行金鑰「${name}」已從您的 Highline 帳號移除，無法再用來登入。`],
    },
  },
  passkeyCopied: {
    'en-US': {
      subject: 'A passkey of your Highline account may have been copied',
      lines: (name) => [
        `The passkey “${name}” was rejected: its counter is lower than at its last use, as after it was copied. No one was signed in with it. Sign in with your password, remove it, and add a new one.`,
      ],
    },
    'zh-TW': {
      subject: '您的 Highline 帳號有通行金鑰可能遭複製',
      lines: (name) => [
        `通行金鑰「${name}」已被拒絕：其計數器低於上次使用時，可能已遭複製。沒有人以此登入。請以密碼登入、移除它，再新增一個。`,
      ],
    },
  },
  factorSetUp: {
    'en-US': {
      subject: 'A second factor was set up for your Highline account',
      lines: (address) => [
        `Your company requires a second factor. An authenticator app was set up for your Highline account at a sign-in from ${address}.`,
      ],
    },
    'zh-TW': {
      subject: '您的 Highline 帳號已設定雙重驗證',
      lines: (address) => [`您的公司要求雙重驗證。從 ${address} 登入時，已為您的 Highline 帳號設定驗證應用程式。`],
    },
  },
  passwordChanged: {
    'en-US': {
      subject: 'The password of your Highline account was changed',
      lines: (address) => [
        `The password of your Highline account was changed from ${address}. All earlier sessions of the account have ended.`,
      ],
    },
    'zh-TW': {
      subject: '您的 Highline 帳號密碼已變更',
      lines: (address) => [`您的 Highline 帳號密碼已從 ${address} 變更，先前的所有工作階段都已結束。`],
    },
  },
  sessionsEnded: {
    'en-US': {
      subject: 'You were signed out of Highline',
      lines: (by) => [`${by} signed you out of Highline. You can sign in again.`],
    },
    'zh-TW': {
      subject: '您已被登出 Highline',
      lines: (by) => [`${by} 已將您登出 Highline，您可以再次登入。`],
    },
  },
} as const satisfies Readonly<Record<string, Messages>>;

/** The email to a person about a change of how they sign in. @param what a name typed by a user, or an address */
export function signInMail(
  kind: keyof typeof messages,
  { language, name }: { readonly language: Language; readonly name: string },
  what: string,
): MailContent {
  const { subject, lines } = messages[kind][language];
  const said = kind.startsWith('passkey') ? withoutLinks(what) : what;
  return mailOf(language, name, subject, [...lines(said), ...(kind === 'sessionsEnded' ? [] : [unexpected[language]])]);
}

/** What the mail about a policy says to a person. */
export interface PolicyNews {
  /** It is required, and this person has none yet. */
  readonly mustSetUp: boolean;
  readonly idleMinutes: number;
  readonly lifetimeHours: number;
  readonly ranges: readonly string[];
  readonly isExcepted: boolean;
}

/** The email to a person whose company has other rules for sign-ins. @param by who changed them */
export function policyMail(language: Language, name: string, by: string, news: PolicyNews): MailContent {
  const { mustSetUp, idleMinutes, lifetimeHours, ranges, isExcepted } = news;
  const networks = ranges.join(', ');
  if (language === 'zh-TW')
    return mailOf(language, name, '貴公司的 Highline 登入規則已變更', [
      `${by} 變更了貴公司的 Highline 登入規則。`,
      ...(mustSetUp ? ['下次以密碼登入時，您需要設定雙重驗證。請準備好手機上的驗證應用程式。'] : []),
      `閒置 ${idleMinutes} 分鐘或登入滿 ${lifetimeHours} 小時後，工作階段會結束。`,
      ...(ranges.length > 0 && !isExcepted ? [`只能從這些網路使用 Highline：${networks}。`] : []),
      ...(ranges.length > 0 && isExcepted ? [`其他人只能從這些網路使用 Highline：${networks}。您不受此限制。`] : []),
    ]);
  return mailOf(language, name, 'The Highline sign-in rules of your company have changed', [
    `${by} changed the rules of your company for signing in to Highline.`,
    ...(mustSetUp ? ['At your next sign-in by password you will set up a second factor. Have an authenticator app ready.'] : []),
    `Sessions end after ${idleMinutes} minutes without use, and ${lifetimeHours} hours after the sign-in.`,
    ...(ranges.length > 0 && !isExcepted ? [`Highline can be used from these networks only: ${networks}.`] : []),
    ...(ranges.length > 0 && isExcepted
      ? [`Others can use Highline from these networks only: ${networks}. You are excepted.`]
      : []),
  ]);
}

/** The email to an admin: the directory of the company tried to take the access, or the address, of someone who must keep it. */
export function directoryMail(
  language: Language,
  name: string,
  { email, by, wish }: { readonly email: string; readonly by: string; readonly wish: 'access' | 'address' },
): MailContent {
  if (wish === 'address' && language === 'zh-TW')
    return mailOf(language, name, '貴公司的目錄服務無法變更一個 Highline 帳號的地址', [
      `貴公司的目錄服務（${withoutLinks(by)}）想變更 ${email} 的地址，但已被拒絕：這是最後一位管理員，或是登入規則所列的例外人員。`,
      '若這並非貴公司所為，請撤銷目錄服務金鑰。若確實要變更，請先指定另一位管理員或例外人員。',
    ]);
  if (wish === 'address')
    return mailOf(language, name, 'The directory of your company could not change the address of a Highline account', [
      `The directory of your company (${withoutLinks(by)}) tried to change the address of ${email}. This was rejected: it is the last admin, or a person who is excepted from the rules for signing in.`,
      'If your company did not intend this, revoke the secret of the directory. Otherwise choose another admin or another excepted person first.',
    ]);
  if (language === 'zh-TW')
    return mailOf(language, name, '貴公司的目錄服務無法停用一個 Highline 帳號', [
      `貴公司的目錄服務（${withoutLinks(by)}）想停用 ${email}，但已被拒絕：這是最後一位管理員，或是登入規則所列的例外人員。`,
      '若確實要停用，請先指定另一位管理員或例外人員。',
    ]);
  return mailOf(language, name, 'The directory of your company could not deactivate a Highline account', [
    `The directory of your company (${withoutLinks(by)}) tried to deactivate ${email}. This was rejected: it is the last admin, or a person who is excepted from the rules for signing in.`,
    'If the account is to be deactivated, choose another admin or another excepted person first.',
  ]);
}

/** The email about an account whose address the directory of its company changed. @param name of the person who reads it */
export function addressMail(
  language: Language,
  name: string,
  { email, to, by }: { readonly email: string; readonly to: string; readonly by: string },
): MailContent {
  if (language === 'zh-TW')
    return mailOf(language, name, 'Highline 帳號的地址已變更', [
      `貴公司的目錄服務（${withoutLinks(by)}）已將帳號 ${email} 的地址變更為 ${to}。此後以新地址登入，密碼連結也會寄到新地址。`,
      '若這並非貴公司所為，請立即聯絡管理員，並撤銷目錄服務金鑰。',
    ]);
  return mailOf(language, name, 'The address of a Highline account was changed', [
    `The directory of your company (${withoutLinks(by)}) changed the address of the account ${email} to ${to}. The account signs in with the new address, and links for its password are mailed there.`,
    'If your company did not intend this, contact your administrator at once, and have the secret of the directory revoked.',
  ]);
}

/** Names are user input and escaped. */
function mailOf(language: Language, name: string, subject: string, lines: readonly string[]): MailContent {
  const paragraphs = [greetingOf(language, name), ...lines];
  const html = paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject,
    plain: `${paragraphs.join('\n\n')}\n\nHighline\n`,
    html: `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">\n${html}\n<p>Highline</p></body></html>\n`,
  };
}
