import { webhooks, type Language } from '@highline/contract';
import { escapeHtml } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/index.ts';
import { enqueueMails } from '../mails/index.ts';
import { findAdministrators, type Administrator } from './suspension.job.queries.ts';
import type { SuspendedEndpoint } from './webhook-delivery.job.queries.ts';

interface Messages {
  readonly title: (name: string) => string;
  readonly greeting: (name: string) => string;
  readonly what: (url: string, days: number) => string;
  readonly next: string;
  readonly button: string;
}

const messages: Readonly<Record<Language, Messages>> = {
  'en-US': {
    title: (name) => `Webhook ${name} was suspended`,
    greeting: (name) => `Hello ${name},`,
    what: (url, days) => `Every call of ${url} has failed for ${days} days, so nothing more is sent to it.`,
    next: 'New events are recorded and wait. Repair the receiver, send a test, then resume the webhook.',
    button: 'Open the webhooks',
  },
  'zh-TW': {
    title: (name) => `Webhook「${name}」已暫停`,
    greeting: (name) => `${name}，您好：`,
    what: (url, days) => `對 ${url} 的呼叫已連續失敗 ${days} 天，因此不再傳送任何內容。`,
    next: '新事件仍會記錄並等待傳送。請修復接收端、傳送測試，然後恢復此 Webhook。',
    button: '開啟 Webhook 頁面',
  },
};

/** Write to the admins of a webhook that was suspended because it failed for days, in the transaction of its suspension. */
export async function mailSuspension(tx: Tx, endpoint: SuspendedEndpoint, origin: string, now: Date): Promise<void> {
  const people = await findAdministrators(tx, endpoint);
  const mails = people.map((person) => ({
    to: person.email,
    ...textOf(endpoint, person, origin),
    kind: 'notification' as const,
    organizationId: endpoint.organization_id,
  }));
  await enqueueMails(tx, mails, now);
}

/** The path of an address can be a secret, so a mail shows none. */
function textOf({ name, url }: SuspendedEndpoint, person: Administrator, origin: string) {
  const text = messages[person.language];
  const title = inOneLine(text.title(name));
  const paragraphs = [
    ...(person.name === '' ? [] : [text.greeting(person.name)]),
    text.what(new URL(url).host, webhooks.SUSPENDED_AFTER_DAYS),
    text.next,
  ].map(inOneLine);
  const organization = inOneLine(person.organization);
  const link = `${origin}/webhooks`;
  const html = `<!doctype html><html lang="${person.language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">
<p style="color:#48505e">${escapeHtml(organization)}</p><h1 style="font-size:20px;line-height:28px">${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('')}
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1f5fd6;color:#fff;text-decoration:none">${text.button}</a></p>
<p>Highline</p></body></html>\n`;
  const plain = [organization, title, ...paragraphs, link, 'Highline'].filter((part) => part !== '').join('\n\n');
  return { subject: title, plain: `${plain}\n`, html };
}

/** Names are typed by users: none may begin a new line, or change the direction of the surrounding text. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '');
}
