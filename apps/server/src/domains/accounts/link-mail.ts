import { isEmail, type Language, tidyEmail } from '@highline/contract';
import { escapeHtml } from '../../kernel/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

export type MailContent = Row<'mails', 'subject' | 'plain' | 'html'>;

/** The texts of a mail with a link in one language. */
interface LinkMessages {
  readonly subject: string;
  readonly text: string;
  readonly ignore: string;
  readonly button: string;
}

/** Longest name in a mail, in characters. */
const LONGEST_NAME = 60;

/**
 * A name typed by a user, for a mail: mail programs must not make a link of it. Splits anything that looks like a URL, a path or
 * a mail address.
 */
export function withoutLinks(name: string): string {
  const apart = name.replaceAll(/[:/\\@]+/gu, ' ').replaceAll(/[.．。｡]+/gu, '. ');
  const characters = Array.from(apart.replaceAll(/\s+/gu, ' ').trim());
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…` : characters.join('');
}

/** The first line of a mail to a person; an address stands for a name that no one has entered, and greets no one. */
export function greetingOf(language: Language, typedName: string): string {
  const name = typedName.includes('@') && isEmail(tidyEmail(typedName)) ? '' : withoutLinks(typedName);
  if (language === 'zh-TW') return name === '' ? '您好：' : `${name}，您好：`;
  return name === '' ? 'Hello,' : `Hello ${name},`;
}

/** A mail with a link to open, as text and HTML. Names are typed by users and escaped. */
export function linkMail(language: Language, messages: LinkMessages, typedName: string, link: string): MailContent {
  const greeting = greetingOf(language, typedName);
  const plain = `${greeting}\n\n${messages.text}\n\n${link}\n\n${messages.ignore}\n\nHighline\n`;
  const html = `<!doctype html><html lang="${language}"><body style="font:15px/22px system-ui,sans-serif;color:#12161d">
<p>${escapeHtml(greeting)}</p><p>${escapeHtml(messages.text)}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1f5fd6;color:#fff;text-decoration:none">${messages.button}</a></p>
<p style="word-break:break-all">${escapeHtml(link)}</p><p style="color:#48505e">${messages.ignore}</p><p>Highline</p></body></html>\n`;
  return { subject: messages.subject, plain, html };
}
