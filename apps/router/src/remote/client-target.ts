import { BlockList, isIPv4 } from 'node:net';
import type { RouterView } from '../model/definition.ts';
import { lanOf, ownAddresses } from '../model/objects/uplinks.ts';
import { addressOfHost } from '../model/objects/wifi.ts';
import type { ClientTarget } from './remote-control.ts';

/** Never a device of a vehicle, whatever mask its network has: this host, loopback, link-local with metadata services, multicast and above. */
const never = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  never.addSubnet(network, prefix);

/**
 * The router's own check of a client, whatever the cloud allows (LIV-08): a device of the vehicle's network that has this address now, and
 * no address of the router. Made when a tunnel is requested and again at each connection.
 * @returns what is wrong with it; undefined: nothing
 */
export function faultOfClient(router: RouterView, { mac, address, port }: ClientTarget): string | undefined {
  if (!isIPv4(address)) return 'IPAddress must be an IPv4 address';
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return 'Port must be from 1 to 65535';
  if (never.check(address) || ownAddresses(router).includes(address)) return `${address} is no device of the vehicle's network`;
  if (!isInLan(router, address)) return `${address} is outside the vehicle's network`;
  const present = addressOfHost(router, mac);
  if (present === undefined) return `${mac} is not connected`;
  return present === address ? undefined : `${mac} has another address now`;
}

/** Inside, and neither the network itself nor its broadcast address. */
function isInLan(router: RouterView, text: string): boolean {
  const lan = lanOf(router);
  const [own, mask, address] = [numberOf(lan.address), numberOf(lan.mask), numberOf(text)];
  const host = (address & ~mask) >>> 0;
  return mask !== 0 && (own & mask) === (address & mask) && host !== 0 && host !== ~mask >>> 0;
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, octet) => (sum << 8) | Number(octet), 0);
}
