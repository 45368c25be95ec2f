import { organizations } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import { dayProblem, MOST_CHOSEN, nothingChosen, parseChoice, stockFile } from './stock.ts';
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
    const withFile = { ...filled, reached: 'summary', fileName: 'routers.csv', source: 'file' } as const;
    expect(stepOf('summary', withFile, true)).toBe('summary');
    expect(stepOf('summary', withFile, false)).toBe('devices');
    // The file is not sent where routers are chosen from the stock.
    expect(stepOf('summary', { ...withFile, source: 'stock' }, false)).toBe('summary');
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

describe('ORG-03-partial routers chosen from the stock', () => {
  const router = { id: '1', serial_number: 'HL-1', mac: '00:B2:D0:56:C2:27', model: 'HL-R520' };
  const days = { started: '11/24/2026', expired: '11/23/2027' };

  test('the file names each router with its MAC and both days, as the template has them', async () => {
    expect(await stockFile({ routers: [router], ...days }).text()).toBe(
      'SN,MAC,Start Date,Expiry Date\r\nHL-1,00:B2:D0:56:C2:27,11/24/2026,11/23/2027\r\n',
    );
    expect(await stockFile({ ...nothingChosen, routers: [router] }).text()).toContain('HL-1,00:B2:D0:56:C2:27,,\r\n');
  });

  test('both days or none, and in their order', () => {
    expect(dayProblem(nothingChosen)).toBeUndefined();
    expect(dayProblem(days)).toBeUndefined();
    expect(dayProblem({ ...days, expired: days.started })).toBeUndefined();
    expect(dayProblem({ ...days, expired: '' })).toBe('incomplete');
    expect(dayProblem({ started: '02/30/2026', expired: days.expired })).toBe('incomplete');
    expect(dayProblem({ started: days.expired, expired: days.started })).toBe('reversed');
  });

  test('a choice is restored unchanged; anything else, and more than can be chosen, is ignored', () => {
    const choice = { routers: [router], ...days };
    expect(parseChoice(JSON.parse(JSON.stringify(choice)))).toEqual(choice);
    const tooMany = Array.from({ length: MOST_CHOSEN + 1 }, () => router);
    for (const bad of [
      undefined,
      null,
      {},
      { ...choice, started: 1 },
      { ...choice, routers: [{ id: '1' }] },
      { ...choice, routers: tooMany },
    ])
      expect(parseChoice(bad)).toBeUndefined();
    expect(isStarted({ ...emptyDraft(key), stock: choice })).toBe(true);
  });
});
