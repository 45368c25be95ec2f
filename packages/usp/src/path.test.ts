import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asObjectPath, isSearchPath, objectPath, pathCovers, pathKind, splitLeaf, splitPath } from './path.ts';

describe('paths', () => {
  it('have a kind according to their ending', () => {
    expect(pathKind('Device.Cellular.')).toBe('object');
    expect(pathKind('Device.Cellular.Interface.1.Status')).toBe('parameter');
    expect(pathKind('Device.Reboot()')).toBe('command');
    expect(pathKind('Device.Boot!')).toBe('event');
  });

  it('are split at dots, but not inside a search expression', () => {
    expect(splitPath('Device.LocalAgent.Subscription.[ID=="a.b"&&Enable==true].Recipient')).toEqual([
      'Device', 'LocalAgent', 'Subscription', '[ID=="a.b"&&Enable==true]', 'Recipient',
    ]); // prettier-ignore
    expect(splitPath('Device.Cellular.')).toEqual(['Device', 'Cellular']);
    expect(splitLeaf('Device.DeviceInfo.UpTime')).toEqual(['Device.DeviceInfo.', 'UpTime']);
    expect(objectPath('Device', 'Cellular', 'Interface', 1)).toBe('Device.Cellular.Interface.1.');
  });

  it('search several instances with a wildcard', () => {
    expect(isSearchPath('Device.A.*.C')).toBe(true);
    expect(isSearchPath('Device.A.1.C')).toBe(false);
  });

  it('are object paths with one final dot, however many an agent sent', () => {
    expect(['Device.A.1', 'Device.A.1.', 'Device.A.1...', ''].map(asObjectPath)).toEqual([
      'Device.A.1.',
      'Device.A.1.',
      'Device.A.1.',
      '.',
    ]);
    // Quadratic time would exceed any test's limit.
    const dots = '.'.repeat(5_000_000);
    expect(asObjectPath(`${dots}x`)).toBe(`${dots}x.`);
    expect(asObjectPath(dots)).toBe('.');
  });

  it('are covered by themselves, by a partial path above them and by a wildcard', () => {
    const path = 'Device.Cellular.Interface.1.Status';
    for (const reference of [
      path,
      'Device.',
      'Device.Cellular.',
      'Device.Cellular.Interface.*.Status',
      'Device.Cellular.Interface.*.',
    ])
      expect([reference, pathCovers(reference, path)]).toEqual([reference, true]);
    for (const reference of [
      'Device.Cell',
      'Device.Cellular',
      'Device.Cellular.*.1.Status',
      'Device.Cellular.Interface.2.',
      `${path}.x`,
    ])
      expect([reference, pathCovers(reference, path)]).toEqual([reference, false]);
    expect(pathCovers('Device.Boot!', 'Device.Boot!')).toBe(true);
  });

  it('any text can be split', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect([`${splitPath(text).join('.')}.`, splitPath(text).join('.')]).toContain(text);
      }),
    );
  });
});
