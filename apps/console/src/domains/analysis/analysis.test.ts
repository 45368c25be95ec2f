import type { TFunction } from 'i18next';
import { describe, expect, test } from 'vitest';
import { chartsOf, parseAnalysis } from './address.ts';
import { pointLabels, pointsFile } from './points.ts';
import { nearest, timedOf } from './tip.ts';
import { figuresOf, summaryOf } from './title.ts';
import { recordsSearch } from './records.ts';
import { argumentsKey, argumentsOf, faultsOf, fieldsOf, keyOf, marksOf } from './question.ts';

const zone = 'America/New_York';

describe('the address of Analysis', () => {
  test('known values are parsed, and the rest is dropped', () => {
    const raw = { day: 'week', group: 'g', condition: 'more', value: '-71', window: '1h', charts: 'average.nothing.device' };
    expect(parseAnalysis(raw)).toEqual({ ...raw, charts: 'device.average' });
    expect(parseAnalysis({ day: 'year', condition: 'most', window: '2h', charts: 'x', group: 7 })).toEqual({});
    expect(chartsOf(undefined)).toEqual([]);
  });
});

describe('a question', () => {
  test('ANA-01-partial the defaults are appear and today, and saying so changes nothing', () => {
    expect(argumentsOf({ group: 'g' }, zone)).toEqual({ groupId: 'g', conditons: 'appear', dayType: 'today' });
    expect(keyOf({ chartType: 'device', fields: { group: 'g' } })).toBe(
      keyOf({ chartType: 'device', fields: { group: 'g', day: 'today', condition: 'appear', value: '' } }),
    );
    expect(keyOf({ chartType: 'device', fields: { group: 'g' } })).not.toBe(
      keyOf({ chartType: 'device', fields: { device: 'g' } }),
    );
  });

  test('a range begins and ends with its days in the zone', () => {
    const fields = { day: 'custom', from: '11/17/2026', until: '11/18/2026' } as const;
    expect(argumentsOf(fields, zone)).toEqual({
      conditons: 'appear',
      startDate: '2026-11-17T05:00:00.000Z',
      endDate: '2026-11-19T05:00:00.000Z',
    });
  });

  test("pins are compared without the viewer's time zone", () => {
    expect(argumentsKey({ zone: 'UTC', groupId: 'g', num: '', dayType: 'today' }, 'o')).toBe(
      argumentsKey({ dayType: 'today', groupId: 'g' }, 'o'),
    );
  });

  test('API-03-partial ANA-02-partial what a program stored is read as the server reads it: a project is a group or all, and times are ISO 8601 or epochs', () => {
    const days = { day: 'custom', from: '11/17/2026', until: '11/18/2026' };
    const iso = { startDate: '2026-11-17T05:00:00Z', endDate: '2026-11-19T05:00:00Z' };
    const seconds = { startDate: '1794891600', endDate: '1795064400' };
    const milliseconds = { startDate: '1794891600000', endDate: '1795064400000', dayType: 'today' } as const;
    for (const stored of [iso, seconds, milliseconds]) {
      expect(fieldsOf({ projectId: 'g', groupId: '', ...stored }, zone, 'o')).toMatchObject({ group: 'g', ...days });
      expect(argumentsKey({ projectId: 'g', ...stored }, 'o')).toBe(argumentsKey({ groupId: 'g', ...iso }, 'o'));
    }
    expect(fieldsOf({ projectId: 'O', dayType: 'week' }, zone, 'o')).toMatchObject({ group: undefined, day: 'week' });
    expect(argumentsKey({ projectId: 'O' }, 'o')).not.toBe(argumentsKey({ projectId: 'g' }, 'o'));
  });

  test('RPT-02-partial the records of a chart have its number in the form in which they are compared, and a text as it is', () => {
    const properties = (['number', 'string'] as const).map((type) => ({
      property_id: type,
      property_name: type,
      property_type: type,
      unit: '',
    }));
    const valueOf = (property: string, value: string) => recordsSearch({ property, value, condition: 'equal' }, properties).value;
    expect(['12.0', '-71.0', '1e3', ' 12', '−73.5', '1,234', 'ten'].map((value) => valueOf('number', value))).toEqual([
      '12',
      '-71',
      '1000',
      '12',
      '-73.5',
      '1234',
      'ten',
    ]);
    expect(['007', '−73.5', '1.0'].map((value) => valueOf('string', value))).toEqual(['007', '−73.5', '1.0']);
    expect(['007', '−73.5', '1.0'].map((value) => valueOf('', value))).toEqual(['007', '-73.5', '1.0']);
    expect(recordsSearch({ property: 'number', value: '12', condition: 'more' }, properties)).toEqual({ property: 'number' });
  });

  test('ANA-03-partial an unknown property is reported as missing', () => {
    expect(faultsOf({ chartType: 'average', fields: { group: 'g' } }, undefined)).toEqual([
      { key: 'RequireErr', field: 'property', failure: 'analysis.required' },
    ]);
  });

  test('ANA-02-partial every question has a mark, and only shares are arcs', () => {
    expect(marksOf('piechart', 'bool')).toContain('arc');
    expect(marksOf('sumarty', 'number')).toEqual(['bar']);
    expect(marksOf('average', 'number')).not.toContain('arc');
  });
});

describe('points', () => {
  const translate = ((key: string) => key) as TFunction;

  test('belong to a moment of the zone, a device, a value or a figure', () => {
    const labelOf = pointLabels({ property: { id: 'rssi', name: 'RSSI', type: 'number' } }, zone, translate);
    expect(labelOf({ x: Date.parse('2026-11-19T03:30:00Z'), y: 1 })).toBe('11/18/2026 22:30:00');
    expect(labelOf({ x: 'id', y: 1, label: 'Bus 7' })).toBe('Bus 7');
    expect(labelOf({ x: 'mean', y: 1 })).toBe('analysis.figure.mean');
    expect(pointLabels({ property: { id: 'event', name: 'Event', type: 'string' } }, zone, translate)({ x: 'mean', y: 1 })).toBe(
      'mean',
    );
  });

  test('SHR-08-partial as CSV have all the digits of an ICCID or a vehicle number, no date that was none, and no formula', async () => {
    const labels = ['8901260123456789012', '0421', '3-4', ' =1+1', 'a;=1+1', '＝1+1', 'Bus "7"'];
    const points = labels.map((label, index) => ({ x: label, y: -1.5 * index }));
    const chart = { chartType: 'piechart', unit: '', property: { id: 'iccid', name: 'ICCID', type: 'string' }, points };
    const lines = (await pointsFile(chart as unknown as Parameters<typeof pointsFile>[0], zone, translate).text()).split('\r\n');
    expect(lines.slice(1, -1)).toEqual([
      "'8901260123456789012,0",
      "'0421,-1.5",
      "'3-4,-3",
      "' =1+1,-4.5",
      `"a;'=1+1",-6`,
      "'＝1+1,-7.5",
      '"Bus ""7""",-9',
    ]);
  });
});

describe('what a chart says', () => {
  const translate = ((key: string, values?: object) => `${key} ${JSON.stringify(values ?? {})}`) as unknown as TFunction;
  const chart = {
    chartType: 'average',
    unit: 'dBm',
    property: { id: 'rssi', name: 'RSSI', type: 'number' },
    points: [
      { x: 1, y: -73.5247524752 },
      { x: 2, y: -62.5 },
    ],
  } as unknown as Parameters<typeof summaryOf>[0];

  test('its values have two decimals and their unit', () => {
    expect(summaryOf(chart, translate)).toBe('analysis.summary {"count":2,"low":"−73.52 dBm","high":"−62.5 dBm"}');
  });

  test('least, mean and greatest of values over time, and of nothing else', () => {
    expect(figuresOf(chart)).toEqual([
      ['min', -73.5247524752],
      ['mean', (-73.5247524752 - 62.5) / 2],
      ['max', -62.5],
    ]);
    expect(figuresOf({ ...chart, chartType: 'device' })).toEqual([]);
    expect(figuresOf({ ...chart, points: [] })).toEqual([]);
  });

  test('the crosshair is at the value nearest to the pointer', () => {
    const values = [10, 20, 40].map((t) => ({ t, when: String(t), y: t }));
    expect([0, 14, 16, 31, 99].map((t) => nearest(values, t).t)).toEqual([10, 10, 20, 40, 40]);
    expect(timedOf({ data: { values } })).toBe(values);
    expect(timedOf({ data: { values: [{ label: 'a', y: 1 }] } })).toBeUndefined();
    expect(timedOf({ data: { values }, width: 520 })).toBeUndefined();
  });
});
