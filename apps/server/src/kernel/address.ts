import { isIPv4, isIPv6 } from 'node:net';

/** IPv4 in an IPv6 socket: `::ffff:192.0.2.1`. */
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/iu;

/**
 * An address as it is compared and counted: without brackets and port (`192.0.2.1:443`, `[2001:db8::1]:443`, as some proxies write
 * them), without zone, and an IPv4 address as IPv4. Undefined for anything else.
 */
export function plainAddress(text: string): string | undefined {
  const entry = text.trim();
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/u.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/u.exec(entry)?.[1] ?? entry;
  const plain = bare.split('%', 1)[0]!.replace(MAPPED, '');
  return isIPv4(plain) || isIPv6(plain) ? plain : undefined;
}

/**
 * One network for limits: an IPv4 address, or the /64 network of an IPv6 address, because every household and every rented server
 * has all its 2^64 addresses. Text that is no address is one network, so that it cannot be varied.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (plain === undefined) return 'unknown';
  if (isIPv4(plain)) return plain;
  const [left = '', right] = plain.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const filled = right === undefined ? [] : Array.from({ length: 8 - groups(left).length - groups(right).length }, () => '0');
  const all = [...groups(left), ...filled, ...groups(right ?? '')];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** A network as CIDR, IPv4 or IPv6; a single address is a network of one. Undefined for anything else. */
export function cidrOf(text: string): string | undefined {
  const [address = '', prefix, ...more] = text.split('/');
  const longest = isIPv4(address) ? 32 : isIPv6(address) && !/%|^::ffff:/iu.test(address) ? 128 : undefined;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= (longest ?? 0));
  if (longest === undefined || !isPrefix || more.length > 0) return undefined;
  return `${address.toLowerCase()}/${prefix === undefined ? longest : Number(prefix)}`;
}
