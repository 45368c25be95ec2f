import type { analysis } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import { findProperty } from '../reports/index.ts';
import type { Drawable } from './analysis.service.ts';
import { type ChartInput } from './chart-parts.ts';
import { chartSpec, tickInterval, usualMark } from './vega-lite.ts';

const HOUR_MS = 3_600_000;
const BEGIN = Date.parse('2026-11-20T06:00:00Z');

const hours = (count: number): analysis.Point[] =>
  Array.from({ length: count }, (_, index) => ({ x: BEGIN + index * HOUR_MS, y: index }));
const responded = (points: readonly analysis.Point[], more: Partial<Drawable> = {}): Drawable => ({
  points: [...points],
  property: findProperty('temperature')!,
  unit: '°C',
  window: '1h',
  zone: 'America/Chicago',
  ...more,
});
const input = (more: Partial<ChartInput> = {}): ChartInput => ({
  chartType: 'average',
  mark: 'line',
  theme: 'light',
  language: 'en-US',
  ...more,
});

interface Drawn {
  readonly mark: Record<string, unknown>;
  readonly data: { readonly values: Record<string, unknown>[] };
  readonly encoding: Record<
    string,
    { field: string; title: string; scale?: object; axis?: { values?: object[]; format: string } }
  >;
  readonly config: { readonly range: { readonly category: string[] } };
}
const draw = (from: Drawable, how: ChartInput) => chartSpec(from, how) as unknown as Drawn;

describe('charts of Analysis', () => {
  test.each([
    [36, undefined],
    [37, 3],
    [144, 3],
    [145, 7],
    [288, 7],
    [289, 24],
    [1_440, 24],
    [1_441, 48],
  ])('ANA-02-partial of %i points every n-th has a tick', (points, every) => {
    expect(tickInterval(points)).toBe(every);
    const { values } = draw(responded(hours(points)), input()).encoding['x']!.axis!;
    expect(values?.length).toBe(every === undefined ? undefined : Math.ceil(points / every));
    // As an object: a bare number becomes an expression that readers without `eval` take for a year.
    expect(values?.every((value) => 'year' in value && 'utc' in value)).not.toBe(false);
  });

  test('ANA-02-partial values have no padded decimals on their axis, and counts no fractions', () => {
    const axisOf = (chartType: ChartInput['chartType']) => draw(responded(hours(3)), input({ chartType })).encoding['y']!.axis;
    expect(axisOf('average')).toEqual({ format: ',.10~g' });
    expect(axisOf('record')).toEqual({ format: ',.10~g', tickMinStep: 1 });
  });

  test('ANA-02-partial points have dots up to 500 of them', () => {
    expect(draw(responded(hours(500)), input()).mark['point']).toBeTruthy();
    expect(draw(responded(hours(501)), input()).mark['point']).toBe(false);
  });

  test('ANA-02-partial line, bar, area and arc are drawn as requested, a pie as an arc by default', () => {
    for (const mark of ['line', 'bar', 'area', 'arc'] as const)
      expect(draw(responded(hours(3)), input({ mark })).mark['type']).toBe(mark);
    expect(usualMark.piechart).toBe('arc');
  });

  test('ANA-02-partial without data there is no chart', () => {
    expect(chartSpec(responded([]), input())).toBeNull();
  });

  test('ANA-02-partial light and dark have their own colours, and the texts are in the language of the reader', () => {
    const light = draw(responded(hours(3)), input());
    const dark = draw(responded(hours(3)), input({ theme: 'dark', language: 'zh-TW' }));
    expect(light.config.range.category[0]).toBe('#1f5fd6');
    expect(dark.config.range.category[0]).toBe('#6d9dff');
    expect([light.encoding['y']!.title, dark.encoding['y']!.title]).toEqual(['Temperature (°C)', '溫度 (°C)']);
    expect([light.encoding['x']!.title, dark.encoding['x']!.title]).toEqual(['Time', '時間']);
  });

  test('ANA-02-partial the axis shows the clock of the zone, whatever zone the browser is in', () => {
    const { encoding, data } = draw(responded(hours(2)), input());
    expect(encoding['x']).toMatchObject({ field: 't', type: 'temporal', scale: { type: 'utc' } });
    expect(data.values[0]).toEqual({ t: Date.parse('2026-11-20T00:00:00Z'), when: '2026/11/20 00:00:00', y: 0 });
  });

  test('texts of users and routers are data and title, never an expression or a field', () => {
    const evil = "a.b[0]\\'] + datum['x'] <img src=x onerror=alert(1)>";
    const devices = [
      { x: 'one', y: 2, label: evil },
      { x: 'two', y: 1, label: evil },
    ];
    const spec = draw(responded(devices, { unit: '', window: undefined }), input({ chartType: 'device', mark: 'bar' }));
    expect(spec.data.values).toEqual([
      { label: evil, y: 2 },
      { label: `${evil} (2)`, y: 1 },
    ]);
    const { data: _, ...rest } = spec;
    expect(JSON.stringify(rest)).not.toContain('onerror');
    expect(JSON.stringify(spec)).not.toMatch(/"(?:expr|signal|calculate|transform|params|href|url)":/u);
  });

  test('bars of negative values stand on a round number below the least, all others on zero', () => {
    const values = (...ys: number[]) => responded(ys.map((y, index) => ({ x: BEGIN + index * HOUR_MS, y })));
    const bars = draw(values(-71.5, -62), input({ mark: 'bar' })).encoding;
    expect([bars['y']!.scale, bars['y2']]).toEqual([{ zero: false, domainMin: -80 }, { datum: -80 }]);
    expect(draw(values(-80, -62), input({ mark: 'area' })).encoding['y2']).toEqual({ datum: -90 });
    for (const encoding of [
      draw(values(-3, 4), input({ mark: 'bar' })).encoding,
      draw(values(3, 4), input({ mark: 'bar' })).encoding,
      draw(values(3, 4), input({ chartType: 'record', mark: 'line' })).encoding,
    ])
      expect([encoding['y']!.scale, encoding['y2']]).toEqual([{ zero: true }, undefined]);
    expect(draw(values(-71.5, -62), input()).encoding['y']!.scale).toEqual({ zero: false });
  });

  test('a pie of many values keeps the most frequent and combines the rest, with the share of each', () => {
    const values = Array.from({ length: 30 }, (_, index) => ({ x: `value ${index}`, y: 30 - index }));
    const from = responded(values, { property: findProperty('event')!, unit: '', window: undefined });
    const { data } = draw(from, input({ chartType: 'piechart', mark: 'arc' }));
    expect(data.values).toHaveLength(12);
    expect(data.values.at(-1)).toEqual({ label: 'Other', y: 190, share: '40.9%', named: 'Other · 40.9%' });
    expect(data.values.reduce((sum, { y }) => sum + (y as number), 0)).toBe(465);
  });

  test('booleans and the numbers of a summary have labels, a text with the same content is left unchanged', () => {
    const labels = (id: string, chartType: analysis.ChartType, xs: readonly string[]) => {
      const points = xs.map((x) => ({ x, y: 1 }));
      const from = responded(points, { property: findProperty(id)!, window: undefined });
      return draw(from, input({ chartType, mark: 'bar', language: 'zh-TW' })).data.values.map(({ label }) => label);
    };
    expect(labels('online', 'sumarty', ['true', 'false'])).toEqual(['是', '否']);
    // The number of values is not drawn as a bar next to the values.
    expect(labels('rssi', 'sumarty', ['count', 'mean'])).toEqual(['平均值']);
    expect(labels('event', 'sumarty', ['true', 'count'])).toEqual(['true', 'count']);
  });
});
