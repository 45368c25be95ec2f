import { isIP, type BlockList } from 'node:net';
import { mayCall } from './address.ts';

/** What an operator allows besides https to hosts on the internet. */
export interface TargetRules {
  readonly allowsHttp: boolean;
  readonly allowed: BlockList;
}

/** Ports from 1024 on that browsers do not call either, because other protocols use them (Fetch Standard, 2.9). */
const OTHER_PROTOCOLS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);
const WEB_PORTS = new Set([80, 443]);
const FIRST_FREE_PORT = 1_024;

/** An address that may be called, if its name leads to an address that may be; otherwise why it is never called, as a plain sentence. */
export function parseTarget(text: string, { allowsHttp, allowed }: TargetRules): URL | string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return 'This is not a web address. Use for example https://example.com/hooks.';
  if (url.protocol === 'http:' && !allowsHttp) return 'The address must begin with https://.';
  if (url.username !== '' || url.password !== '') return 'The address must not contain a user name or a password.';
  if (!isWebPort(url)) return `Port ${url.port} is not used for webhooks. Use 443, 80 or one from 1024 on.`;
  const literal = literalOf(url);
  if (literal !== undefined && !mayCall(literal, allowed)) return rejectedAddress(literal);
  return url;
}

/** The host of an address if it is an IP address and no name. */
export function literalOf({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

export const rejectedAddress = (address: string): string =>
  `${address} is not an address on the internet. The operator of this server can allow it with WEBHOOK_ALLOWED_NETWORKS.`;

function isWebPort({ port }: URL): boolean {
  if (port === '') return true;
  const number = Number(port);
  return WEB_PORTS.has(number) || (number >= FIRST_FREE_PORT && !OTHER_PROTOCOLS.has(number));
}
