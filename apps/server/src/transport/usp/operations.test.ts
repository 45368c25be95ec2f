import { expect, test } from 'vitest';
import { toUspCommand } from './operations.ts';

const file = { url: 'https://x.test/dl/1/a', username: 'u', password: 'p', size: 7, sha256: 'ab' };

test('LIV-12 an operation is one command on the object that it names, with the arguments of TR-181', () => {
  expect(toUspCommand({ type: 'reboot' }, 1)).toEqual({ command: 'Device.Reboot()', inputArgs: new Map() });
  expect(toUspCommand({ type: 'restart-modem' }, 2).command).toBe('Device.Cellular.Interface.2.X_HIGHLINE_Restart()');
  const slot = 'Device.DeviceInfo.FirmwareImage.2.';
  const { command, inputArgs } = toUspCommand({ type: 'install-firmware', slot, file, activates: false }, 1);
  expect(command).toBe(`${slot}Download()`);
  expect(Object.fromEntries(inputArgs)).toEqual({
    URL: file.url,
    Username: 'u',
    Password: 'p',
    FileSize: '7',
    AutoActivate: 'false',
    CheckSumAlgorithm: 'SHA-256',
    CheckSum: 'ab',
  });
  const ping = { type: 'ping', host: '::1', ipVersion: '6', repetitions: 3, timeoutMs: 900, size: 64 } as const;
  expect(toUspCommand(ping, 1)).toEqual({
    command: 'Device.IP.Diagnostics.IPPing()',
    inputArgs: new Map([
      ['Host', '::1'],
      ['ProtocolVersion', 'IPv6'],
      ['NumberOfRepetitions', '3'],
      ['Timeout', '900'],
      ['DataBlockSize', '64'],
    ]),
  });
});
