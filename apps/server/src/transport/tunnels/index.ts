export { generateHostKey, hostKeyOf, type HostKey } from './host-key.ts';
export type { PortRange } from './ssh-port.ts';
export { attachTunnels } from './tunnels.ts';
