import { cidrOf, required } from '../../kernel/index.ts';

export { plainAddress } from '../../kernel/index.ts';

/**
 * A network as CIDR, IPv4 or IPv6; a single address is a network of one.
 * @throws DomainError `key.range_invalid`
 */
export function parseRange(text: string, field: string): string {
  return required(cidrOf(text), 'key.range_invalid', { field });
}
