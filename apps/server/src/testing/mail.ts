import type { Client } from 'pg';
import { openMailText } from '../domains/mails/index.ts';
import type { Sealing } from '../kernel/sealing.ts';
import type { Row } from '../platform/ports/tables.ts';

/** A queued mail with its text decrypted. */
export type StoredMail = Row<'mails', 'subject' | 'plain' | 'html'>;

/** Mails to an address, newest first. */
export async function readMails(owner: Pick<Client, 'query'>, sealing: Sealing, recipient: string): Promise<StoredMail[]> {
  const { rows } = await owner.query<StoredMail & { id: string; sealed: Buffer | null }>(
    'select id, subject, plain, html, sealed from mails where recipient = $1 order by id desc',
    [recipient],
  );
  return rows.map((row) => ({ subject: row.subject, ...openMailText(sealing, row) }));
}

/** A mail as its reader sees it. */
export interface DecodedMail {
  /** By lower-case name, decoded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: string;
  readonly html: string;
}

/** Parse a message of two parts (RFC 2045-2047): enough for our own mails. */
export function decodeMail(message: Buffer): DecodedMail {
  const { headers, body } = splitPart(message.toString('latin1').replaceAll('\r\n', '\n'));
  const boundary = /boundary="?([^";]+)"?/u.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => splitPart(part.replace(/^\n/u, '')));
  const textOf = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    return part === undefined ? '' : decodeBody(part.body, part.headers['content-transfer-encoding'] ?? '7bit');
  };
  return { headers, plain: textOf('text/plain'), html: textOf('text/html') };
}

function splitPart(text: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = text.split('\n\n');
  const lines = head.replaceAll(/\n[ \t]+/gu, ' ').split('\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), decodeHeader(line.slice(line.indexOf(':') + 1).trim())]),
  );
  return { headers, body: rest.join('\n\n') };
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\n', '')) : body;
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/giu, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decodeHeader(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/gu, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/giu, (_, kind: string, encoded: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(encoded, 'base64').toString('utf8') : decodeQuoted(encoded.replaceAll('_', ' ')),
    );
}
