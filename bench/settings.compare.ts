import {
  compareSettings,
  findLeftovers,
  pathsToRead,
  pathsToWatch,
  toReport,
  worstState,
  type SettingsReport,
} from '../apps/server/src/domains/router-settings/compare.ts';
import { createPreview } from '../apps/server/src/domains/router-settings/preview.ts';
import type { LevelContent } from '../apps/server/src/domains/router-settings/effective-setting.ts';
import { settingsOf, type DesiredRow } from '../apps/server/src/domains/router-settings/settings.rows.ts';
import { options } from './options.ts';
import { valuesOf } from './settings.values.ts';
import { assessed, printTable, whole } from './table.ts';

const DEVICES = 100_000;
const FEW_DEVICES = 5_000;
/** As many as the server reads at once. */
const BATCH = 200;
const PREVIEWED = 1_000;
/** One device in so many has another time server than it should. */
const DIFFERING = 10;
const MOST_MS = 20_000;
const MOST_BYTES = 200 * 1024 ** 2;

const now = new Date();
const context = { secretOf: () => undefined, now };

/** Resolve the settings of devices and compare them with what they report, in batches as they are read. */
export function benchComparison(): void {
  const count = options.short ? FEW_DEVICES : DEVICES;
  const content: LevelContent = Object.fromEntries(Object.entries(valuesOf('night')).map(([path, value]) => [path, { value }]));
  const text = JSON.stringify(content);
  const former = JSON.stringify(reportOf(rowOf(1, text, {})));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const [spent, previewed] = [createTimer(), createTimer()];
  const preview = createPreview('group', { ...content, 'Time.NTPServer1': { value: 'other.example.com' } });
  let peak = before;
  let differing = 0;
  for (let at = 0; at < count; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - at) }, (_, index) => rowOf(at + index, text, JSON.parse(former)));
    const reports = rows.map((row) => reportedBy(row));
    spent.time(() => {
      for (const [index, row] of rows.entries()) if (compareRow(row, reports[index]!) !== 'as-set') differing += 1;
    });
    if (at < PREVIEWED)
      previewed.time(() => {
        for (const row of rows) preview.add(row);
      });
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  }
  if (differing !== Math.ceil(count / DIFFERING)) throw new Error(`${differing} devices differed.`);
  const all = (spent.processorMs() * DEVICES) / count;
  printTable(
    `Resolve and compare devices with ${Object.keys(content).length} settings, ${whole(differing)} of ${whole(count)} differ`,
    [
      {
        name: `${whole(count)} devices: elapsed, processor`,
        unit: 's',
        ours: [spent.elapsedMs() / 1_000, spent.processorMs() / 1_000],
        aim:
          count === DEVICES
            ? assessed('≤ 20 s', all <= MOST_MS)
            : `${(all / 1_000).toFixed(1)} s of processor for ${whole(DEVICES)}`,
      },
      {
        name: '  heap above the beginning, at most',
        unit: 'MB',
        ours: [(peak - before) / 1024 ** 2],
        aim: assessed('≤ 200 MB', peak - before <= MOST_BYTES),
      },
      {
        name: `draft for ${whole(PREVIEWED)} devices: elapsed, processor`,
        unit: 'ms',
        ours: [previewed.elapsedMs(), previewed.processorMs()],
      },
    ],
  );
}

/** As a router is compared when it connects, without its link and the database. */
function compareRow(row: DesiredRow, reported: ReadonlyMap<string, string>) {
  const settings = settingsOf(row);
  const before = row.report ?? {};
  pathsToRead(settings, before);
  const comparisons = compareSettings(settings, reported, { before, ...context });
  const leftovers = findLeftovers(settings, reported, { before, now });
  toReport(comparisons, leftovers);
  pathsToWatch(comparisons);
  return worstState([...comparisons.map(({ state }) => state), ...leftovers.map(() => 'differs' as const)]);
}

/** What is stored of a device whose router confirmed its secrets. */
function reportOf(row: DesiredRow): SettingsReport {
  const settings = settingsOf(row);
  const accepted = new Set(settings.map(({ setting }) => setting.path));
  return toReport(compareSettings(settings, reportedBy(row), { before: {}, accepted, ...context }));
}

const KEYED = /^(?<table>.*?)(?<object>\w+)\[(?<key>\w+)=(?<of>[^\]]+)\]\.(?<rest>.*)$/u;
const keyParameters: Readonly<Record<string, string>> = { name: 'Alias', band: 'OperatingFrequencyBand', ssid: 'SSIDReference' };

/** What a router reports that has each setting, with instances in the order of the form. */
function reportedBy(row: DesiredRow): ReadonlyMap<string, string> {
  const reported = new Map<string, string>();
  const instances = new Map<string, string[]>();
  for (const { setting, text = '' } of settingsOf(row)) {
    const { table, object, key, of, rest } = KEYED.exec(setting.path)?.groups ?? {};
    if (table === undefined) {
      reported.set(`Device.${setting.path}`, text);
      continue;
    }
    const list = `Device.${table}${object}`;
    const known = instances.get(list) ?? [];
    instances.set(list, known);
    if (!known.includes(of!)) known.push(of!);
    const instance = `${list}.${known.indexOf(of!) + 1}.`;
    const parameter = keyParameters[key!];
    const value = key === 'ssid' ? `Device.WiFi.SSID.${known.indexOf(of!) + 1}.` : of!;
    if (parameter !== undefined) reported.set(instance + parameter, value);
    reported.set(`${list}NumberOfEntries`, String(known.length));
    reported.set(instance + rest!, setting.isSecret === true ? '' : text);
  }
  if (Number(row.deviceId) % DIFFERING === 0) reported.set('Device.Time.NTPServer1', 'pool.example.org');
  return reported;
}

function createTimer() {
  let [elapsed, processor] = [0, 0];
  return {
    time(work: () => void) {
      const [begin, used] = [performance.now(), process.cpuUsage()];
      work();
      const { user, system } = process.cpuUsage(used);
      elapsed += performance.now() - begin;
      processor += (user + system) / 1_000;
    },
    elapsedMs: () => elapsed,
    processorMs: () => processor,
  };
}

/** As the database returns it: each row has a copy of its level. */
function rowOf(index: number, content: string, report: SettingsReport): DesiredRow {
  return {
    deviceId: String(index),
    organizationId: 'o',
    mainAccountId: 'm',
    routerId: String(index),
    serial: `HL${index}`,
    vehicleNumber: `Bus ${index}`,
    properties: null,
    levels: [{ id: 'a', group: 'g', device: null, content: JSON.parse(content) as LevelContent, sealed: null }],
    report,
    checkedAt: null,
    model: 'HL-R520 5G',
    families: NONE,
  };
}

const NONE: DesiredRow['families'] = [];
