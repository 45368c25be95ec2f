import { organizations } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import { COLUMNS, emptyDraft, EXAMPLE, isFilled, isStarted, mayCreate, newRequestKey, parseDraft, stepOf } from './wizard.ts';

const key = '0b4b6a9e-6f0e-4d5c-9d0a-0d5a6f3f2a11';
const filled = { ...emptyDraft(key), name: 'North', email: 'ann@north.example', touched: true };

describe('ORG-03-partial the steps of the wizard', () => {
  test('the first step is complete only when the email was touched and name and contact are given', () => {
    expect(isFilled(filled)).toBe(true);
    expect(isFilled({ ...filled, touched: false })).toBe(false);
    expect(isFilled({ ...filled, name: '  ' })).toBe(false);
    expect(isFilled({ ...filled, email: '' })).toBe(false);
  });

  test('no address leads past a step that is still open', () => {
    expect(stepOf('summary', filled, false)).toBe('info');
    expect(stepOf('summary', { ...filled, reached: 'devices' }, false)).toBe('devices');
    expect(stepOf('summary', { ...filled, reached: 'summary' }, false)).toBe('summary');
    expect(stepOf(undefined, { ...filled, reached: 'summary' }, false)).toBe('info');
  });

  test('a file that is gone after a reload must be chosen again', () => {
    const withFile = { ...filled, reached: 'summary', fileName: 'routers.csv' } as const;
    expect(stepOf('summary', withFile, true)).toBe('summary');
    expect(stepOf('summary', withFile, false)).toBe('devices');
  });

  test('a draft is restored from storage unchanged; anything else is ignored', () => {
    expect(parseDraft(JSON.parse(JSON.stringify(filled)))).toEqual(filled);
    for (const bad of [undefined, null, 'text', {}, { ...filled, name: 7 }, { ...filled, reached: 'other' }])
      expect(parseDraft(bad)).toBeUndefined();
    expect([isStarted(filled), isStarted(emptyDraft(key))]).toEqual([true, false]);
  });

  test('request keys are new each time and of the form that the server takes', () => {
    const [one, other] = [newRequestKey(), newRequestKey()];
    expect(one).not.toBe(other);
    expect(organizations.createOrganization.body.parse({ name: 'North', requestKey: one }).requestKey).toBe(one);
  });

  test('the template has the two mandatory columns, and a MAC in the form XX:XX:XX:XX:XX:XX', () => {
    expect(COLUMNS).toEqual(['SN', 'MAC']);
    expect(EXAMPLE[1]).toMatch(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/u);
  });

  test('it needs the permission create.theSameVendor', () => {
    expect(mayCreate(['create.theSameVendor', 'read.theSameVendor'])).toBe(true);
    expect(mayCreate(['create', 'read.theSameVendor'])).toBe(false);
  });
});
