import { isIPv4, isIPv6 } from 'node:net';
import { DomainError } from '../../kernel/index.ts';

/** IPv4 in an IPv6 socket: `::ffff:192.0.2.1`. */
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/iu;

/**
 * A network as CIDR, IPv4 or IPv6; a single address is a network of one.
 * @throws DomainError `key.range_invalid`
 */
export function parseRange(text: string, field: string): string {
  const [address = '', prefix, ...more] = text.split('/');
  const longest = isIPv4(address) ? 32 : isIPv6(address) && !/%|^::ffff:/iu.test(address) ? 128 : undefined;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= (longest ?? 0));
  if (longest === undefined || !isPrefix || more.length > 0) throw new DomainError('key.range_invalid', { field });
  return `${address.toLowerCase()}/${prefix === undefined ? longest : Number(prefix)}`;
}

/** The address of a caller as the database compares it with ranges; undefined for a caller without one. */
export function plainAddress(address: string): string | undefined {
  const plain = address.replace(MAPPED, '').split('%', 1)[0]!;
  return isIPv4(plain) || isIPv6(plain) ? plain : undefined;
}
