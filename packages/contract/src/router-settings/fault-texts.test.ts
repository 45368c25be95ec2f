import { expect, test } from 'vitest';
import { readFaults, writeFaults, type NamedFault } from './fault-texts.ts';

test('TPL-03 what a message says of settings is read from it again, and what a router said stays as it is', () => {
  const faults: readonly (NamedFault | string)[] = [
    { path: 'Time.NTPServer1', fault: 'differs', of: '' },
    { path: 'Cellular.AccessPoint[name=internet].APN', fault: 'returned', of: '' },
    { path: 'WiFi.SSID[name=staff].SSID', fault: 'no-value', of: 'depot' },
    { path: 'WiFi.SSID[name=passengers].SSID', fault: 'invalid', of: 'a: b' },
    'Time.NTPServer2: not a host: x',
    '+4',
  ];
  const text = writeFaults(faults);
  expect(text.split('; ')[2]).toBe('WiFi.SSID[name=staff].SSID: not sent, depot has no value');
  expect(readFaults(text)).toEqual(faults);
  for (const other of ['', ': not changed', 'not changed', 'busy; try later']) expect(writeFaults(readFaults(other))).toBe(other);
  expect(readFaults(': not changed')).toEqual([': not changed']);
});
