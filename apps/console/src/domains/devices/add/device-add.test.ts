import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/errors.ts';
import { emptyDevice, macOf, problemsOf } from './device-add.ts';
import { outcomeOf } from '../../../entities/imports/outcome.ts';

const good = { ...emptyDevice, mac: '00:b2:d0:56:c2:27', serial_number: 'HL1', started: '01/01/2026', expired: '12/31/2026' };

describe('DEV-05-partial the add form', () => {
  test('takes a MAC address in any writing and keeps 12 upper-case digits', () => {
    for (const text of ['00B2D056C227', '00b2d056c227', '00:B2:D0:56:C2:27', '00-b2-d0-56-c2-27', '00b2.d056.c227'])
      expect(macOf(text)).toBe('00B2D056C227');
    for (const text of ['', '00B2D056C22', '00B2D056C22G', '00B2D056C2277']) expect(macOf(text)).toBeUndefined();
  });

  test('names every field that is missing', () => {
    expect(problemsOf(emptyDevice, undefined, true)).toEqual({
      org: 'required',
      serial_number: 'required',
      mac: 'required',
      started: 'required',
      expired: 'required',
    });
    expect(problemsOf(good, undefined, false)).toEqual({});
    expect(problemsOf(good, 'an-id', true)).toEqual({});
  });

  test('rejects an expiry before the start, and accepts the same day', () => {
    expect(problemsOf({ ...good, expired: '12/31/2025' }, undefined, false)).toEqual({ expired: 'reversed' });
    expect(problemsOf({ ...good, expired: good.started }, undefined, false)).toEqual({});
  });
});

test('DEV-06-partial a rejected file says how many of its failed rows are in the report', () => {
  const rejected = (detail: object) =>
    outcomeOf(new ApiError({ status: 400, message: 'No row could be added.', detail }))?.outcome;
  const some = { failed: 58_000, total: 58_000, fail: [], report: 'SN', reported: 10_000 };
  expect(rejected(some)).toEqual({ ...some, success: 0 });
  expect(rejected({ failed: 3, total: 3, fail: [], report: 'SN' })?.reported).toBe(3);
});
