import type { FailureKey, networks } from '@highline/contract';
import { isInside } from './client-rule.ts';

/** A client by both of its addresses: a session leads to it while it has both. */
export interface ClientAddress {
  readonly mac: string;
  readonly address: string;
}

/** What a router reported of its networks; undefined = nothing. */
export interface ReportedNetworks {
  readonly lans: readonly string[] | undefined;
  readonly clients: readonly networks.Client[] | undefined;
}

/** Why a client cannot be opened, by what its router reported just now; undefined: it can. The router checks again by itself. */
export function rejectionOfClient(
  { lans = [], clients }: ReportedNetworks,
  { mac, address }: ClientAddress,
): Extract<FailureKey, `client.${string}`> | undefined {
  if (clients === undefined) return 'client.unread';
  if (!isInside(lans.flatMap(toRange), address) || isOwn(lans, address)) return 'client.outside';
  const isThere = clients.some((client) => client.mac === mac && client.addresses.includes(address));
  return isThere ? undefined : 'client.not_there';
}

/** A network with its mask as CIDR; none for a mask that has gaps. */
function toRange(lan: string): string[] {
  const [address = '', mask = ''] = lan.split('/');
  const bits = mask
    .split('.')
    .map((octet) => Number(octet).toString(2).padStart(8, '0'))
    .join('');
  return /^1+0*$/u.test(bits) && bits.length === 32 && isInside(['0.0.0.0/0'], address)
    ? [`${address}/${bits.indexOf('0') < 0 ? 32 : bits.indexOf('0')}`]
    : [];
}

function isOwn(lans: readonly string[], address: string): boolean {
  return lans.some((lan) => lan.startsWith(`${address}/`));
}
