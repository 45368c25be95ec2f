/** What the address of an upgrade names. */
export interface UspAddress {
  readonly isOurs: boolean;
  readonly secret: string | undefined;
  readonly eid: string | null;
}

/**
 * `/usp/<secret>?eid=…`, or `/usp?eid=…` with a client certificate. The eid is optional: not every agent can be configured to
 * send one, and its records contain it anyway.
 */
export function readUspAddress(url: string): UspAddress {
  const [path = '', query = ''] = url.split('?', 2);
  const found = /^\/usp(?:\/([^/]{1,200}))?$/u.exec(path);
  const secret = found?.[1];
  const eid = new URLSearchParams(query).get('eid');
  return { isOurs: found !== null, secret: secret === undefined ? undefined : decode(secret), eid };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
