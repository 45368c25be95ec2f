import { describe, expect, it } from 'vitest';
import { faultOfTunnelAddress } from './address.ts';

const HOME = 'wss://cloud.example/usp/secret?eid=x';

describe('where a tunnel may lead', () => {
  it('is the host that the router calls home to, whatever its port', () => {
    expect(faultOfTunnelAddress('wss://cloud.example/tunnel', HOME)).toBeUndefined();
    expect(faultOfTunnelAddress('wss://cloud.example:8443/base/tunnel', HOME)).toBeUndefined();
    expect(faultOfTunnelAddress('ws://127.0.0.1:8080/tunnel', 'ws://localhost:8080/usp/x')).toBeUndefined();
  });

  it.each([
    ['wss://evil.example/tunnel', HOME, 'this router opens tunnels to cloud.example only, not to evil.example'],
    ['wss://cloud.example.evil.example/tunnel', HOME, 'only, not to cloud.example.evil.example'],
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
