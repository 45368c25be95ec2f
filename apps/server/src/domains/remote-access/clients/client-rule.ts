import { isIPv4 } from 'node:net';
import type { remoteClients as calls, Role } from '@highline/contract';
import { DomainError } from '../../../kernel/index.ts';

/** First and last address of an IPv4 network. */
interface Network {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

/**
 * A rule as it is stored: networks without their host part, none within another; ports in order, those that overlap or touch joined.
 * @throws DomainError `client.range_invalid`, `client.ports_invalid`, `client.rule_empty`
 */
export function tidyClientRule({ roles, ranges, ports }: calls.ClientRule): calls.ClientRule {
  const networks = ranges.map(parseNetwork).toSorted((a, b) => a.first - b.first || b.last - a.last);
  const outer: Network[] = [];
  for (const network of networks) if (network.last > (outer.at(-1)?.last ?? -1)) outer.push(network);
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of ports.toSorted((a, b) => a.from - b.from)) {
    if (from > to) throw new DomainError('client.ports_invalid', { field: 'ports' });
    const before = joined.at(-1);
    if (before !== undefined && from <= before.to + 1) before.to = Math.max(before.to, to);
    else joined.push({ from, to });
  }
  if (roles.length > 0 && (outer.length === 0 || joined.length === 0))
    throw new DomainError('client.rule_empty', { field: outer.length === 0 ? 'ranges' : 'ports' });
  return { roles: [...new Set(roles)].toSorted(), ranges: outer.map(({ text }) => text), ports: joined };
}

/** Why a rule does not allow a role to open an address and port; undefined: it does. */
export function rejectionOf(
  rule: calls.ClientRule,
  role: Role,
  { address, port }: { readonly address: string; readonly port: number },
): 'client.off' | 'client.not_allowed' | undefined {
  if (!rule.roles.some((each) => each === role)) return 'client.off';
  const isPort = rule.ports.some(({ from, to }) => from <= port && port <= to);
  return isPort && isInside(rule.ranges, address) ? undefined : 'client.not_allowed';
}

/** Whether an IPv4 address is in one of these networks. */
export function isInside(ranges: readonly string[], address: string): boolean {
  if (!isIPv4(address)) return false;
  const number = numberOf(address);
  return ranges.map(parseNetwork).some(({ first, last }) => first <= number && number <= last);
}

/** @throws DomainError `client.range_invalid` */
function parseNetwork(range: string): Network {
  const [address = '', prefix = '32', ...more] = range.trim().split('/');
  const isNetwork = isIPv4(address) && /^\d{1,2}$/u.test(prefix) && Number(prefix) <= 32 && more.length === 0;
  if (!isNetwork) throw new DomainError('client.range_invalid', { field: 'ranges' });
  const size = 2 ** (32 - Number(prefix));
  const first = Math.floor(numberOf(address) / size) * size;
  return { text: `${textOf(first)}/${Number(prefix)}`, first, last: first + size - 1 };
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}
