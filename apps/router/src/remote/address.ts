import { isIP } from 'node:net';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The router's own check of a tunnel address: the host it calls home to, and never unencrypted when it calls home encrypted. A
 * cloud of several processes has a name for each (TUNNEL_URL). Another name is accepted when both connections are encrypted: the
 * cloud that names it is authenticated, and the named host must prove its name by a certificate that the router trusts. IP
 * addresses and local names prove nothing, so they are rejected.
 * @param home address the router calls home to; undefined: none
 * @returns what is wrong with the address; undefined: nothing
 */
export function faultOfTunnelAddress(address: string, home: string | undefined): string | undefined {
  if (!URL.canParse(address)) return 'Address is not an address';
  const to = new URL(address);
  if (to.protocol !== 'ws:' && to.protocol !== 'wss:') return 'Address must begin with ws:// or wss://';
  if (to.username !== '' || to.password !== '' || to.hash !== '')
    return 'Address must contain neither credentials nor a fragment';
  if (!to.pathname.endsWith('/tunnel')) return 'Address must end in /tunnel';
  if (home === undefined) return 'this router is not configured to connect anywhere';
  const own = new URL(home);
  if (own.protocol === 'wss:' && to.protocol === 'ws:')
    return 'this router connects encrypted only: Address must begin with wss://';
  if (hostOf(own) === hostOf(to)) return undefined;
  if (own.protocol !== 'wss:') return `this router opens tunnels to ${own.hostname} only, not to ${to.hostname}`;
  return isPublicName(to.hostname)
    ? undefined
    : `this router opens tunnels to names with a certificate only, not to ${to.hostname}`;
}

/** A name of at least two labels that is not an IP address and not local. */
function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/u, '');
  return name.includes('.') && isIP(name) === 0 && !name.startsWith('[') && !/\.(?:localhost|local|internal)$/u.test(name);
}

function hostOf({ hostname }: URL): string {
  return LOOPBACK.has(hostname) ? 'loopback' : hostname;
}
