const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The router's own say in where a tunnel may lead: to the host it calls home to and to no other, never in the clear when it calls home
 * encrypted.
 * @param home where the router calls home to; undefined: nowhere
 * @returns what is wrong with the address, in plain words; undefined: nothing
 */
export function faultOfTunnelAddress(address: string, home: string | undefined): string | undefined {
  if (!URL.canParse(address)) return 'Address is not an address';
  const to = new URL(address);
  if (to.protocol !== 'ws:' && to.protocol !== 'wss:') return 'Address must begin with ws:// or wss://';
  if (to.username !== '' || to.password !== '' || to.hash !== '') return 'Address must hold neither credentials nor a fragment';
  if (!to.pathname.endsWith('/tunnel')) return 'Address must end in /tunnel';
  if (home === undefined) return 'this router is not configured to connect anywhere';
  const own = new URL(home);
  if (hostOf(own) !== hostOf(to)) return `this router opens tunnels to ${own.hostname} only, not to ${to.hostname}`;
  if (own.protocol === 'wss:' && to.protocol === 'ws:')
    return 'this router connects encrypted only: Address must begin with wss://';
  return undefined;
}

function hostOf({ hostname }: URL): string {
  return LOOPBACK.has(hostname) ? 'loopback' : hostname;
}
