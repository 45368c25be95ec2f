import type { IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 8_192;

/**
 * Whether the browser sent it from one of our pages. Older browsers without these headers are accepted: cookies and forms are
 * bound as well.
 */
export function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return true;
  // The cloud's proxy may use another host name than the browser.
  const host = headers['x-forwarded-host'] ?? headers.host;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** The first cookie of a name, as sent; undefined without one. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

/** A cookie for its own pages only, for this browser session. */
export function setCookie({ headers }: IncomingMessage, name: string, value: string): string {
  const secure = headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  const age = value === '' ? '; Max-Age=0' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${age}`;
}

/** Read a form. @returns undefined when it is invalid or too long */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
