import { readNatsUrl, type NatsAddress } from './nats-settings.ts';

/** Where copies of readings go. */
export type SinkSettings =
  | { readonly kind: 'http'; readonly url: URL; readonly ca?: string }
  | { readonly kind: 'nats'; readonly address: NatsAddress; readonly subject: string; readonly ca?: string };

const SUBJECT = /^[\w-]+(?:\.[\w-]+)*$/u;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/**
 * `https://…`, on loopback also `http://…`; `nats://[<user>:<password>@]<host>[:<port>]/<subject>` or `tls://…` for a stream of
 * JetStream. Undefined for anything else.
 */
export function readSinkUrl(text: string): SinkSettings | undefined {
  if (/^(?:nats|tls):/u.test(text)) {
    const cut = text.lastIndexOf('/');
    const [address, subject] = [readNatsUrl(text.slice(0, cut)), text.slice(cut + 1)];
    return address === undefined || subject.length > 200 || !SUBJECT.test(subject)
      ? undefined
      : { kind: 'nats', address, subject };
  }
  const url = URL.parse(text);
  if (url === null || url.hash !== '') return undefined;
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return isSecure ? { kind: 'http', url } : undefined;
}
