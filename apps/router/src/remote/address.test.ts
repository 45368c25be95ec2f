import { describe, expect, it } from 'vitest';
import { faultOfTunnelAddress } from './address.ts';

const HOME = 'wss://cloud.example/usp/secret?eid=x';

describe('allowed tunnel addresses', () => {
  it('the host that the router calls home to, with any port', () => {
    expect(faultOfTunnelAddress('wss://cloud.example/tunnel', HOME)).toBeUndefined();
    expect(faultOfTunnelAddress('wss://cloud.example:8443/base/tunnel', HOME)).toBeUndefined();
    expect(faultOfTunnelAddress('ws://127.0.0.1:8080/tunnel', 'ws://localhost:8080/usp/x')).toBeUndefined();
  });

  it('another name given by the cloud, when both connections are encrypted (TUNNEL_URL)', () => {
    expect(faultOfTunnelAddress('wss://node-1.cloud.example/tunnel', HOME)).toBeUndefined();
    expect(faultOfTunnelAddress('wss://node-1.other.example:8443/tunnel', HOME)).toBeUndefined();
  });

  it.each([
    [
      'ws://other.example/tunnel',
      'ws://cloud.example/usp/x',
      'this router opens tunnels to cloud.example only, not to other.example',
    ],
    ['wss://other.example/tunnel', 'ws://cloud.example/usp/x', 'only, not to other.example'],
    ['ws://other.example/tunnel', HOME, 'connects encrypted only'],
    ['wss://192.0.2.7/tunnel', HOME, 'to names with a certificate only, not to 192.0.2.7'],
    ['wss://[2001:db8::1]/tunnel', HOME, 'to names with a certificate only'],
    ['wss://localhost/tunnel', HOME, 'to names with a certificate only'],
    ['wss://127.0.0.1/tunnel', HOME, 'to names with a certificate only'],
    ['wss://printer.local/tunnel', HOME, 'to names with a certificate only'],
    ['wss://printer/tunnel', HOME, 'to names with a certificate only'],
    ['ws://cloud.example/tunnel', HOME, 'connects encrypted only'],
    ['https://cloud.example/tunnel', HOME, 'must begin with ws:// or wss://'],
    ['wss://user:pass@cloud.example/tunnel', HOME, 'neither credentials nor a fragment'],
    ['wss://cloud.example/tunnel#x', HOME, 'neither credentials nor a fragment'],
    ['wss://cloud.example/usp/other', HOME, 'must end in /tunnel'],
    ['tunnel', HOME, 'is not an address'],
    ['wss://cloud.example/tunnel', undefined, 'not configured to connect anywhere'],
  ])('is not %s', (address, home, reason) => {
    expect(faultOfTunnelAddress(address, home)).toContain(reason);
  });
});
