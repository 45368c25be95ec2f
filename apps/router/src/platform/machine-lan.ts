import { networkInterfaces } from 'node:os';
import { dialTcp } from './dial-tcp.ts';
import { readIfExists } from './files.ts';
import type { LanAddress, LanHost, Networks } from './platform.ts';

const ARP_TABLE = '/proc/net/arp';
/** Flag of a host whose MAC address is known (ATF_COM of if_arp.h). */
const IS_COMPLETE = 2;

/** A network interface of this machine as the vehicle's network: its address, the hosts in it, and connections to them. Linux only. */
export function createMachineLan(name: string, now: () => number): Pick<Networks, 'lan' | 'hosts' | 'dial'> {
  const since = new Map<string, number>();
  return {
    lan(): LanAddress {
      const own = networkInterfaces()[name]?.find(({ family }) => family === 'IPv4');
      return { address: own?.address ?? '', mask: own?.netmask ?? '' };
    },
    hosts: () =>
      parseArpTable(readIfExists(ARP_TABLE) ?? '', name).map((host) => ({ ...host, since: sinceOf(since, host.mac, now) })),
    dial: (address, port, signal) => dialTcp(address, port, signal),
  };
}

function sinceOf(since: Map<string, number>, mac: string, now: () => number): number {
  if (!since.has(mac)) since.set(mac, now());
  return since.get(mac)!;
}

/** Hosts on an interface, from the kernel's table. */
export function parseArpTable(table: string, name: string): Omit<LanHost, 'since'>[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [address, , flags, mac, , device] = line.trim().split(/\s+/u);
      const isThere = address !== undefined && mac !== undefined && device === name && (Number(flags) & IS_COMPLETE) !== 0;
      if (!isThere) return [];
      return [
        { mac: mac.toUpperCase(), name: '', address, ipv6: '', radio: 0, signal: 0, bytesSent: 0, bytesReceived: 0 } as const,
      ];
    });
}
