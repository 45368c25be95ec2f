import { compareSettings, pathsToRead, toReport, worstState } from '../apps/server/src/domains/router-settings/compare.ts';
import { createPreview } from '../apps/server/src/domains/router-settings/preview.ts';
import type { LevelContent } from '../apps/server/src/domains/router-settings/effective-setting.ts';
import { settingsOf, type DesiredRow } from '../apps/server/src/domains/router-settings/settings.rows.ts';
import { options } from './options.ts';
import { valuesOf } from './settings.values.ts';
import { assessed, printTable, whole } from './table.ts';

const DEVICES = 100_000;
const FEW_DEVICES = 5_000;
const BATCH = 1_000;
const MOST_MS = 20_000;
const MOST_BYTES = 200 * 1024 ** 2;

/** Resolve the settings of devices and compare them with what they report, in batches as they are read. */
export function benchComparison(): void {
  const count = options.short ? FEW_DEVICES : DEVICES;
  const content: LevelContent = Object.fromEntries(Object.entries(valuesOf('night')).map(([path, value]) => [path, { value }]));
  const levels = [{ id: 'a', group: 'g', device: null, content, sealed: null }];
  const context = { secretOf: () => undefined, now: new Date() };
  const first = rowOf(0, levels);
  const paths = pathsToRead(settingsOf(first));
  const reported = new Map(paths.map((path) => [path, '']));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let peak = before;
  let differing = 0;
  const begin = performance.now();
  for (let at = 0; at < count; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - at) }, (_, index) => rowOf(at + index, levels));
    for (const row of rows) {
      const comparisons = compareSettings(settingsOf(row), reported, { before: row.report ?? {}, ...context });
      if (worstState(comparisons.map(({ state }) => state)) !== 'as-set') differing += 1;
      toReport(comparisons);
    }
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  }
  const ms = performance.now() - begin;
  const preview = createPreview('group', { ...content, 'Time.NTPServer1': { value: 'other.example.com' } });
  const previewed = performance.now();
  for (let at = 0; at < BATCH; at += 1) preview.add(rowOf(at, levels));
  preview.total();
  const previewMs = performance.now() - previewed;
  printTable(`Resolve and compare ${whole(count)} devices with ${Object.keys(content).length} settings`, [
    {
      name: 'all of them',
      unit: 's',
      ours: [ms / 1_000],
      aim:
        count === DEVICES
          ? assessed('≤ 20 s', ms <= MOST_MS)
          : `${((ms * DEVICES) / count / 1_000).toFixed(1)} s for ${whole(DEVICES)}`,
    },
    {
      name: '  heap above the beginning, at most',
      unit: 'MB',
      ours: [(peak - before) / 1024 ** 2],
      aim: assessed('≤ 200 MB', peak - before <= MOST_BYTES),
    },
    {
      name: `difference of a draft for ${whole(BATCH)} devices`,
      unit: 'ms',
      ours: [previewMs],
      aim: `${whole(differing)} devices differed`,
    },
  ]);
}

function rowOf(index: number, levels: DesiredRow['levels']): DesiredRow {
  return {
    deviceId: String(index),
    organizationId: 'o',
    mainAccountId: 'm',
    routerId: String(index),
    serial: `HL${index}`,
    vehicleNumber: `Bus ${index}`,
    properties: null,
    levels,
    report: null,
    checkedAt: null,
    model: 'HL-R520 5G',
    families: NONE,
  };
}

const NONE: DesiredRow['families'] = [];
