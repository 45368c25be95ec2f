import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** ProtocolVersion of TR-181's diagnostics. */
export type ProtocolVersion = 'Any' | 'IPv4' | 'IPv6';

/** Address of a host name or an address itself, of the given version; undefined = there is none. */
export async function resolveHost(host: string, version: ProtocolVersion): Promise<string | undefined> {
  const family = { Any: 0, IPv4: 4, IPv6: 6 }[version];
  const own = isIP(host);
  if (own !== 0) return family === 0 || family === own ? host : undefined;
  try {
    return (await lookup(host, { family })).address;
  } catch {
    return undefined;
  }
}
