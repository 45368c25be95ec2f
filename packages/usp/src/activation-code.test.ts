import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPreloadedCode, parseActivationCode } from './activation-code.ts';

describe('activation codes', () => {
  it('SIM-04-partial only preload and pre mean the preloaded profile', () => {
    for (const text of ['preload', 'pre', ' Preload ']) expect(isPreloadedCode(text)).toBe(true);
    for (const text of ['', 'prel', 'preloaded', '1$pre']) expect(isPreloadedCode(text)).toBe(false);
  });

  it('are read in the format of SGP.22, with LPA: or without', () => {
    expect(parseActivationCode(' LPA:1$SMDP.example.com$04386-AGYFT-A74Y8-3F815 ')).toEqual({
      text: '1$SMDP.example.com$04386-AGYFT-A74Y8-3F815',
      host: 'smdp.example.com',
      matchingId: '04386-AGYFT-A74Y8-3F815',
      oid: '',
      needsConfirmation: false,
    });
    expect(parseActivationCode('1$smdp.example$$1.3.6.1.4.1.31746$1')).toMatchObject({
      matchingId: '',
      oid: '1.3.6.1.4.1.31746',
      needsConfirmation: true,
    });
    expect(parseActivationCode('1$smdp.example$A$$1')?.needsConfirmation).toBe(true);
  });

  it.each([
    ['1$smdp.example$A$$$4A6F$1', '1$smdp.example$A$$$4A6F$1'],
    ['1$smdp.example$A$$$', '1$smdp.example$A$$$'],
    ['LPA:1$smdp.example.$A', '1$smdp.example$A'],
    ['LPA: 1$smdp.example$A', '1$smdp.example$A'],
    ['\u00a0lpa:1$smdp.example$A\u20135\u200b', '1$smdp.example$A-5'],
  ])('SIM-04-partial %j is accepted', (text, stored) => {
    expect(parseActivationCode(text)?.text).toBe(stored);
  });

  it.each([
    '',
    'preload',
    '2$smdp.example$A',
    '1$smdp.example',
    '1$$A',
    '1$localhost$A',
    '1$smdp.example:443$A',
    '1$smdp_.example$A',
    '1$smdp.example$A B',
    '1$smdp.example$A$oid',
    '1$smdp.example$A$$2',
    '1$smdp.example$A$$1$more fields',
    `1$smdp.example$${'A'.repeat(255)}`,
  ])('%j is invalid', (text) => {
    expect(parseActivationCode(text)).toBeUndefined();
  });

  it('no text makes parsing fail or take long, and a parsed code is parsed the same again', () => {
    const pieces = fc.string({ unit: fc.constantFrom('1', '$', 'a', '.', '-', ':', 'LPA:'), maxLength: 300 });
    const again = (text: string) => {
      const read = parseActivationCode(text);
      return read === undefined || JSON.stringify(parseActivationCode(read.text)) === JSON.stringify(read);
    };
    expect(fc.check(fc.property(pieces, again)).failed).toBe(false);
  });
});
