import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatEndpointId, parseEndpointId, routerEndpointId } from './endpoint.ts';

describe('endpoint ids', () => {
  it.each([
    ['os::00B2D0-SN0001', { scheme: 'os', authority: '', instance: '00B2D0-SN0001' }],
    ['self::highline', { scheme: 'self', authority: '', instance: 'highline' }],
    ['oui:00B2D0:a%3Ab', { scheme: 'oui', authority: '00B2D0', instance: 'a:b' }],
    ['proto:acme.test:router-7', { scheme: 'proto', authority: 'acme.test', instance: 'router-7' }],
  ] as const)('%s is parsed and formatted again', (text, id) => {
    expect(parseEndpointId(text)).toEqual(id);
    expect(formatEndpointId(id)).toBe(text);
  });

  it.each([
    '',
    'os',
    'os:',
    'os::',
    'os:x:00B2D0-A',
    'nope::a',
    'os::a:b',
    'os::a b',
    'os::%G1',
    'os::%FF',
    `os::${'a'.repeat(51)}`,
  ])('%j is not an endpoint id', (text) => expect(parseEndpointId(text)).toBeUndefined());

  it('a router is named by OUI and serial, whatever the serial contains', () => {
    expect(routerEndpointId('00b2d0', 'SN0001')).toBe('os::00B2D0-SN0001');
    expect(() => routerEndpointId('00B2D0', 'x'.repeat(44))).toThrow(RangeError);
  });

  it('any short serial is read back', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme-ascii' }), (serial) => {
        expect(parseEndpointId(routerEndpointId('00B2D0', serial))?.instance).toBe(`00B2D0-${serial}`);
      }),
    );
  });

  it('parsing succeeds or returns undefined, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const id = parseEndpointId(text);
        expect(id && parseEndpointId(formatEndpointId(id))).toEqual(id);
      }),
    );
  });
});
