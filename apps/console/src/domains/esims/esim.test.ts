import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import { rejectedOutcomeOf } from './add/outcome.ts';
import { addFailureOf, batchFailureOf, detailOf } from './errors.ts';
import { reasonOf, canResume, canSwitchTo, toneOf } from './esim.ts';

describe('the texts of eSIMs', () => {
  test.each([
    ['ICCID is required for preloaded profile.', 'mandatory'],
    ['SN not found', 'batchUnknown'],
    ['no valid device not found', 'batchUnknown'],
    ['SN and EID not match', 'mismatch'],
    ['This is not a valid activation code.', undefined],
    ['toString', undefined],
  ])('SIM-05-partial the error %s of a CSV row', (error, word) => {
    expect(batchFailureOf(error)).toBe(word);
  });

  test('SIM-09-partial the failure of adding one: known details are translated, others are shown unchanged', () => {
    expect(addFailureOf('Rejected: SN not found.')).toBe('unknown');
    expect(addFailureOf('SN and EID not match')).toBe('mismatch');
    expect(addFailureOf('This is not a valid ICCID.')).toBeUndefined();
    expect(detailOf(new ApiError({ status: 400, message: 'No.', detail: 'more' }))).toBe('more');
    expect(detailOf(new ApiError({ status: 400, message: 'No.', detail: 'No.' }))).toBeUndefined();
    expect(detailOf(new ApiError({ status: 400, message: 'No.', detail: { a: 1 } }))).toBeUndefined();
  });

  test('SIM-01-partial the dot follows the icon; a missing profile has a hollow one', () => {
    expect(toneOf({ status: 'In Use', statusIcon: 'online' })).toBe('ok');
    expect(toneOf({ status: 'Out of memory', statusIcon: 'expire' })).toBe('bad');
    expect(toneOf({ status: 'Downloading...', statusIcon: 'doing' })).toBe('busy');
    expect(toneOf({ status: 'Not Purchased', statusIcon: 'doing' })).toBe('unknown');
  });

  test('SIM-03-partial only a failed eSIM can be retried', () => {
    expect(canResume({ status: 'Fail to download' })).toBe(true);
    expect(canResume({ status: 'Out of memory' })).toBe(true);
    expect(canResume({ status: 'Fail to activate' })).toBe(false);
    expect(canSwitchTo({ pk: 'a', status: 'Fail to activate', requested: false })).toBe(true);
    expect(canSwitchTo({ pk: 'a', status: 'Activated', requested: false })).toBe(true);
    expect(canSwitchTo({ pk: 'a', status: 'In Use', requested: false })).toBe(false);
    expect(canSwitchTo({ pk: 'a', status: 'Assigning...', requested: false })).toBe(false);
    expect(canSwitchTo({ pk: 'a', status: 'Assigning...', requested: true })).toBe(true);
    expect(canSwitchTo({ pk: '', status: 'Not Purchased', requested: false })).toBe(false);
  });

  test("a reason is a translated code, with what the router added, or the router's text alone", () => {
    expect(reasonOf('no-answer')).toEqual({ word: 'no-answer', rest: '' });
    expect(reasonOf('download-failed: code already used: twice')).toEqual({
      word: 'download-failed',
      rest: 'code already used: twice',
    });
    expect(reasonOf('Something: else')).toEqual({ word: undefined, rest: 'Something: else' });
    expect(reasonOf('')).toEqual({ word: undefined, rest: '' });
  });

  test('SIM-04-partial a rejected CSV is a result too, and another failure is none', () => {
    const fail = [{ row: 2, serial: 'S', eid: '', ac: '', iccid: '', apn1: '', apn2: '', name: '', error: 'SN not found' }];
    const rejected = new ApiError({ status: 400, message: 'No row could be added.', detail: { fail, failed: 3, total: 3 } });
    expect(rejectedOutcomeOf(rejected)).toEqual({
      success: 0,
      total: 3,
      failed: 3,
      fail,
      report: '',
      reported: 1,
    });
    expect(rejectedOutcomeOf(new ApiError({ status: 404, message: 'Not found' }))?.reason).toBe('Not found');
    expect(rejectedOutcomeOf(new ApiError({ status: 503, message: 'Busy' }))).toBeUndefined();
  });
});
