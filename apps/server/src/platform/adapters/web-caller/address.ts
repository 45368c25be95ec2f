import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Networks in CIDR that an operator allows although they are private. */
export function createAllowedNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === '') list.addAddress(address, kind);
    else list.addSubnet(address, Number(prefix), kind);
  }
  return list;
}

/** Public by its range, but it answers virtual machines of one cloud with their own settings and secrets. */
const CLOUD_SERVICE = '168.63.129.16';
/** What has been assigned for hosts on the internet (RFC 4291, 2.4). */
const [GLOBAL, GLOBAL_BITS] = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is that of a host on the internet: not loopback, private, shared (CGNAT), link-local, unique-local, multicast or
 * reserved, and none that contains another address (IPv4-mapped ones count as that address; 6to4, Teredo and NAT64 are rejected).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || address.toString() === CLOUD_SERVICE) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL, GLOBAL_BITS);
}

/** Whether an address may be called. */
export function mayCall(text: string, allowed: BlockList): boolean {
  if (isPublicAddress(text)) return true;
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return allowed.check(address.toString(), address.kind());
}
