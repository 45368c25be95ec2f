import type { UspMessage } from '@highline/usp';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_NAME, LONGEST_VALUE, MOST_TEXTS, sanitizeMessage } from './sanitize-message.ts';

const getResp = (resultParams: ReadonlyMap<string, string>, resolvedPath = 'Device.'): UspMessage => ({
  msgId: '1',
  body: {
    type: 'get_resp',
    reqPathResults: [{ requestedPath: 'Device.', errCode: 0, errMsg: '', resolvedPathResults: [{ resolvedPath, resultParams }] }],
  },
});

/** Every text of a message, keys of maps included. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Map) return [...value].flat().map(String);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('\u0000', '\u202e', '\ud800', '\ufeff', '\u001b[2J', 'x'.repeat(LONGEST_VALUE + 5), '.'.repeat(100_000)),
);

test('every text a router sends is bounded, well formed and free of control characters, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hostile, hostile), { maxLength: 8 }), hostile, (entries, path) => {
      const clean = sanitizeMessage(getResp(new Map(entries.filter(([key]) => key !== 'Data')), path));
      for (const text of textsOf(clean)) {
        expect(text.length).toBeLessThanOrEqual(LONGEST_VALUE);
        expect(text.isWellFormed()).toBe(true);
        // oxlint-disable-next-line no-control-regex -- what must not be there
        expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e\ufeff]/u);
      }
      expect(sanitizeMessage(clean)).toEqual(clean);
    }),
  );
});

test('an ordinary message is not changed, nor is a whole report of measured values', () => {
  const plain = getResp(
    new Map([
      ['DeviceInfo.ModelName', 'HL-R320 – 台北'],
      ['Log', 'first\nsecond\tline'],
    ]),
  );
  expect(sanitizeMessage(plain)).toEqual(plain);
  const data = JSON.stringify({ Report: Array.from({ length: 20_000 }, (_, index) => ({ CollectionTime: index })) });
  const params = new Map([['Data', data]]);
  const notification = { type: 'event', objPath: 'Device.BulkData.Profile.1.', eventName: 'Push!', params } as const;
  const push: UspMessage = { msgId: '2', body: { type: 'notify', subscriptionId: 's', sendResp: true, notification } };
  expect(sanitizeMessage(push)).toEqual(push);
});

test('more texts than a router has are dropped, as is a name that no model has', () => {
  const many = new Map(Array.from({ length: 100_000 }, (_, index) => [`Name${index}`, String(index)]));
  expect(textsOf(sanitizeMessage(getResp(many))).length).toBeLessThanOrEqual(MOST_TEXTS + 10);
  const long = new Map([
    ['N'.repeat(LONGEST_NAME + 1), '1'],
    ['Name', '2'],
  ]);
  expect(textsOf(sanitizeMessage(getResp(long)))).toEqual(['1', 'get_resp', 'Device.', '', 'Device.', 'Name', '2']);
});
