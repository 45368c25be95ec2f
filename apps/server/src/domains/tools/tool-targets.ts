import { isIP } from 'node:net';
import type { tools } from '@highline/contract';
import ipaddr from 'ipaddr.js';
import { DomainError } from '../../kernel/index.ts';

/** What an organization without a choice has: the router decides what it reaches. */
export const anyTarget: tools.ToolTargets = { allow: 'any', ranges: [] };

/** Whether an organization allows its routers this test. A name is only looked up: its address is known to the router alone. */
export function isTestAllowed(targets: tools.ToolTargets, input: tools.ToolInput): boolean {
  if (targets.allow === 'any') return true;
  switch (input.tool) {
    case 'ping':
    case 'traceroute':
      return isAddressAllowed(targets, input.host);
    case 'dns':
      return input.server === '' || isAddressAllowed(targets, withoutPort(input.server));
    default:
      return true;
  }
}

/** Only as every router reads it: not `010.0.0.1` or `2130706433`, which some do. */
function isAddressAllowed({ allow, ranges }: tools.ToolTargets, text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  // On the internet: no loopback, private, shared, link-local, multicast, broadcast or reserved one.
  if (allow === 'public') return address.range() === 'unicast';
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

const withoutPort = (server: string): string => (isIP(server) === 0 ? server.replace(/:\d+$/u, '') : server);

/** Networks as they are stored. @throws DomainError `tool.range_invalid` */
export function parseRanges(ranges: readonly string[]): string[] {
  return [...new Set(ranges.map(parseRange))];
}

function parseRange(text: string): string {
  const [address = '', prefix, ...more] = text.trim().split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const bits = prefix === undefined ? longest : /^\d{1,3}$/u.test(prefix) ? Number(prefix) : 129;
  if (bits > longest || more.length > 0 || address.includes('%'))
    throw new DomainError('tool.range_invalid', { field: 'ranges' });
  return `${address.toLowerCase()}/${bits}`;
}
