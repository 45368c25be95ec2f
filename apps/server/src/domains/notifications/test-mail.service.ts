import type { Language, notifications } from '@highline/contract';
import { DomainError, newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Mail, MailTransport } from '../../platform/ports/mail.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { compose, momentOf, type MailReader, type MailText } from './notification.mail.ts';
import { readersOf } from './people.queries.ts';

export interface TestMailDeps extends Pick<Deps, 'clock'> {
  readonly database: Pick<Database, 'write'>;
  readonly transport: Pick<MailTransport, 'send' | 'keepsFiles'>;
  /** Counts a test of an account; throws `account.too_many_tries` beyond its hourly limit. */
  readonly countTestMail: (tx: Tx, accountId: string, now: Date) => Promise<void>;
  /** Scheme, name and port of links. */
  readonly mailOrigin: () => string;
  /** Milliseconds that a mail server has to answer; a person waits for it. */
  readonly testMailMs?: number;
}

const RESPONSE_MS = 20_000;
const LONGEST_RESPONSE = 500;

interface Texts {
  readonly title: string;
  readonly sentence: string;
  readonly about: (moment: string) => string;
  readonly footer: (organization: string) => string;
}

const texts: Readonly<Record<Language, Texts>> = {
  'en-US': {
    title: 'Test email',
    sentence: 'Emails about alerts and notifications reach this address.',
    about: (moment) => `sent on ${moment}`,
    footer: (organization) => `You receive this email because you requested it in the console of ${organization}.`,
  },
  'zh-TW': {
    title: '測試郵件',
    sentence: '警報與通知的郵件可送達此地址。',
    about: (moment) => `寄送時間：${moment}`,
    footer: (organization) => `您收到此郵件，是因為您在「${organization}」的主控台中要求寄送。`,
  },
};

/**
 * Send one mail to the person who calls, past the queue, and wait for what the mail server says (ALR-05). To no other address: a button must not
 * send mails to other people. The attempt is counted and logged before it is made.
 * @throws DomainError `account.too_many_tries`, `not_found`
 */
export async function sendTestMail(deps: TestMailDeps, scope: OrganizationScope, actor: Actor): Promise<notifications.TestMail> {
  const now = deps.clock.now();
  const id = newId(now.getTime());
  const reader = await deps.database.write(async (tx) => {
    await deps.countTestMail(tx, actor.accountId, now);
    const [found] = await readersOf(tx, scope, [actor.email]);
    if (found === undefined) throw new DomainError('not_found');
    const event = { action: sentence('mail.tested', actor.email), subject: { kind: 'mail', id }, detail: { to: actor.email } };
    await announce(tx, scope, 'notifications', []);
    await recordAudit(tx, scope.organizationId, actor, event, now);
    return found;
  });
  const text = mailOf({ ...reader, origin: deps.mailOrigin() }, now);
  const result = await hand(deps, { messageId: `<${id}@highline>`, to: actor.email, ...text });
  return { mail: actor.email, ...result };
}

function mailOf(reader: MailReader, now: Date): MailText {
  const { title, sentence: line, about, footer } = texts[reader.language];
  const wording = { title, sentence: line, footer: footer(reader.organization) };
  return compose(reader, wording, {
    about: reader.organization,
    lines: [about(momentOf(reader, now))],
    more: 0,
    place: '/alerts/rules',
  });
}

async function hand(
  { transport, testMailMs = RESPONSE_MS }: TestMailDeps,
  mail: Mail,
): Promise<Pick<notifications.TestMail, 'outcome' | 'answer'>> {
  const sent = transport.send(mail).then(
    () => ({ outcome: transport.keepsFiles === true ? ('kept' as const) : ('sent' as const), answer: '' }),
    (error: unknown) => ({ outcome: 'rejected' as const, answer: reasonOf(error) }),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ outcome: 'unanswered'; answer: string }>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: 'unanswered', answer: '' }), testMailMs);
  });
  try {
    return await Promise.race([sent, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_RESPONSE).toWellFormed();
}
