import { describe, expect, test } from 'vitest';
import { batchProblems, countOf, emptyBatch, endsOf } from './device-batch.ts';

const good = { ...emptyBatch, name: 'Bus ', batch: '50', started: '01/01/2026', expired: '12/31/2026' };

describe('OLD-04-partial the form of a batch', () => {
  test('names every field that is missing or wrong, and needs no first serial number', () => {
    expect(batchProblems(good)).toEqual({});
    expect(batchProblems({ ...emptyBatch, first: '' })).toEqual({
      name: 'required',
      first: 'required',
      batch: 'required',
      started: 'required',
      expired: 'required',
    });
    expect(batchProblems({ ...good, first: '1a', batch: '1.5', expired: '12/31/2025' })).toEqual({
      first: 'format',
      batch: 'format',
      expired: 'reversed',
    });
  });

  test('takes 1 to 1,000 devices', () => {
    const counts = ['0', '1', '1000', '1001', '-1', 'ten'].map((batch) => countOf({ ...good, batch }));
    expect(counts).toEqual([undefined, 1, 1_000, undefined, undefined, undefined]);
  });

  test('shows the first and the last name, with as many digits as the first number has', () => {
    expect(endsOf(good)).toEqual(['Bus 1', 'Bus 50']);
    expect(endsOf({ ...good, name: 'HL', first: '007', batch: '4' })).toEqual(['HL007', 'HL010']);
    expect(endsOf({ ...good, batch: '' })).toBeUndefined();
  });
});
