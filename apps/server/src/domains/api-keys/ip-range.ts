import { isIPv4, isIPv6 } from 'node:net';
import { DomainError } from '../../kernel/index.ts';

export { plainAddress } from '../../kernel/index.ts';

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
