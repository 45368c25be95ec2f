import { readFileSync } from 'node:fs';

/** The addresses of NATS, and who signs in there with a password or a token. */
export interface NatsAddress {
  /** host:port */
  readonly servers: readonly string[];
  /** Connect with TLS only. */
  readonly tls: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
}

/** Signs in with a key, and with a JWT where accounts are managed with `nsc`. */
export interface NatsCredentials {
  readonly seed: string;
  readonly jwt?: string;
}

/** Certificate and key of this process, both PEM. */
export interface NatsClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** How this process reaches NATS. */
export interface NatsSettings extends NatsAddress {
  readonly credentials?: NatsCredentials;
  /** Authorities of the servers' certificates, PEM; none = those that Node trusts. */
  readonly ca?: string;
  /** For servers that verify clients. */
  readonly client?: NatsClientCertificate;
}

const DEFAULT_PORT = '4222';
const MOST_SERVERS = 20;

/**
 * `nats://[<user>:<password>@]<host>[:<port>]` or `tls://…`, several with commas; a single name before `@` is a token. All have the
 * same scheme, and the same user or token where they name one. Undefined for anything else.
 */
export function readNatsUrl(text: string): NatsAddress | undefined {
  const urls = text.split(',').map((part) => parse(part.trim()));
  if (urls.length > MOST_SERVERS) return undefined;
  const [first] = urls;
  if (first === undefined || urls.some((url) => url === undefined || url.scheme !== first.scheme)) return undefined;
  const all = urls.filter((url) => url !== undefined);
  const [who = '', ...others] = new Set(all.map(({ who: each }) => each).filter((each) => each !== '@'));
  if (others.length > 0) return undefined;
  return { servers: all.map(({ host }) => host), tls: first.scheme === 'tls:', ...identityOf(who) };
}

function parse(text: string): { scheme: string; host: string; who: string } | undefined {
  // The parser of the web keeps names and ports of schemes that it does not know as they are; those of http are checked.
  const scheme = /^(nats|tls):\/\//u.exec(text)?.[0];
  if (scheme === undefined) return undefined;
  const url = URL.parse(`http://${text.slice(scheme.length)}`);
  if (url === null || url.hostname === '' || !['', '/'].includes(url.pathname) || `${url.search}${url.hash}` !== '')
    return undefined;
  if (!isDecodable(url.username) || !isDecodable(url.password) || (url.username === '' && url.password !== '')) return undefined;
  // `http:` leaves its own port out.
  const port = url.port === '' ? (/:80\/?$/u.test(text) ? '80' : DEFAULT_PORT) : url.port;
  return { scheme: scheme.slice(0, -2), host: `${url.hostname}:${port}`, who: `${url.username}@${url.password}` };
}

function identityOf(who: string): Pick<NatsAddress, 'user' | 'password' | 'token'> {
  const [user = '', password = ''] = who.split('@').map((part) => decodeURIComponent(part));
  if (user === '') return {};
  return password === '' ? { token: user } : { user, password };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A user's seed, alone in a file or with its JWT; undefined when the file contains none or cannot be read. */
export function readNatsCredentials(path: string): NatsCredentials | undefined {
  try {
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.trim());
    const seed = lines.find((line) => /^SU[A-Z2-7]{56}$/u.test(line));
    const jwt = lines.find((line) => /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/u.test(line));
    return seed === undefined ? undefined : { seed, ...(jwt === undefined ? {} : { jwt }) };
  } catch {
    return undefined;
  }
}
