import { writeIsoDay, type Language } from '@highline/contract';
import { inLanguage, timeIn, type Bilingual } from '../../platform/csv/index.ts';
import type { DocumentBlock, DocumentHead, Shape } from '../../platform/pdf/document.ts';
import { DRAWING_WIDTH } from '../../platform/pdf/drawing.ts';
import { drawDays } from '../../platform/pdf/day-chart.ts';
import { centerOf, cornersOf } from '../coverage/index.ts';
import type { FurtherPlaces, PlaceRow } from './evidence.queries.ts';
import { keptLines, kindTexts, reasonTexts } from './outages.export.ts';
import { daysBetween, type OutageTime } from './outages.period.ts';
import type { PlacedOutage } from './outages.places.ts';

/** Everything that an evidence pack says. */
export interface Evidence {
  readonly organization: string;
  readonly logo: Uint8Array | null;
  /** The vehicle; undefined = a place, or all vehicles. */
  readonly vehicle: { readonly name: string; readonly serial: string } | undefined;
  /** An H3 index, if one place is meant. */
  readonly hexagon: string | undefined;
  readonly carrier: string | undefined;
  /** The name of a group, and a tag; empty = none is meant. */
  readonly group: string;
  readonly tag: string;
  readonly time: OutageTime;
  /** The first of them; `total` in all. */
  readonly outages: readonly PlacedOutage[];
  readonly total: number;
  /** Without a connection, by day. */
  readonly minutes: ReadonlyMap<string, number>;
  readonly places: readonly PlaceRow[];
  readonly further: FurtherPlaces;
  /** The first day of UTC of which reports are kept. */
  readonly reportsFrom: string;
  /** Outages of which no place is known. */
  readonly unplaced: Pick<PlaceRow, 'outages' | 'minutes'>;
  /** Percent; null = not known. */
  readonly share: number | null;
  readonly lostMinutes: number;
  /** What does not count: all of it, and of that parked with the ignition off, and planned windows. */
  readonly excludedMinutes: number;
  readonly parkedMinutes: number;
  readonly plannedMinutes: number;
  /** What places are called, by hexagon. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: Date;
}

/** Outages in the table of a document; the file of the list has them all. */
export const MOST_OUTAGES = 1_000;

const say = (language: Language) => (english: string, chinese: string) => inLanguage([english, chinese] as Bilingual, language);
const decimal = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Title, and whose, when and where. */
export function headOf(evidence: Evidence, language: Language): DocumentHead {
  const text = say(language);
  const { organization, vehicle, hexagon, carrier, group, tag, time, now } = evidence;
  const at = timeIn(time.zone, language);
  const subject = vehicle?.name ?? (hexagon === undefined ? organization : placeName(evidence, hexagon));
  return {
    title: text(`Lost connections: ${subject}`, `斷線佐證：${subject}`),
    lines: [
      vehicle === undefined ? organization : `${organization} · ${text('serial number', '序號')} ${vehicle.serial}`,
      `${writeIsoDay(time.from, language)} – ${writeIsoDay(time.until, language)}, ${time.zone}`,
      ...keptLines(time, language),
      ...(vehicle === undefined || hexagon === undefined
        ? []
        : [text(`Place: ${placeName(evidence, hexagon)}`, `地點：${placeName(evidence, hexagon)}`)]),
      ...(group === '' ? [] : [text(`Group: ${group}`, `群組：${group}`)]),
      ...(tag === '' ? [] : [text(`Tag: ${tag}`, `標籤：${tag}`)]),
      ...(carrier === undefined ? [] : [text(`Carrier: ${carrier}`, `電信業者：${carrier}`)]),
    ],
    foot: `${organization} · ${text('made', '製作於')} ${at(now)} ${time.zone} · Highline`,
    language,
    // The table of outages is wide.
    isLandscape: true,
    logo: evidence.logo ?? undefined,
  };
}

/** The parts of an evidence pack (RPM-04): sums, a chart of days, a map of places, both tables. */
export async function* blocksOf(evidence: Evidence, language: Language): AsyncGenerator<DocumentBlock> {
  const text = say(language);
  const { outages, total, places, share, lostMinutes, excludedMinutes, parkedMinutes, plannedMinutes, vehicle } = evidence;
  const ended = Math.max(0, excludedMinutes - parkedMinutes - plannedMinutes);
  yield {
    kind: 'figures',
    figures: [
      { label: text('outages', '次斷線'), value: total.toLocaleString('en-US') },
      { label: text('minutes without a connection', '無連線分鐘數'), value: decimal(lostMinutes) },
      { label: text('availability', '可用率'), value: share === null ? '--' : `${share}%` },
      { label: text('minutes not counted', '未計入的分鐘數'), value: decimal(excludedMinutes) },
    ],
  };
  yield {
    kind: 'note',
    text: text(
      `Counted: connections that were lost. Not counted: parked with the ignition off (${decimal(parkedMinutes)} min), planned work (${decimal(plannedMinutes)} min), and connections that the router or the server ended (${decimal(ended)} min).`,
      `計入：斷線。未計入：熄火停放（${decimal(parkedMinutes)} 分鐘）、計畫中的作業（${decimal(plannedMinutes)} 分鐘），以及由路由器或伺服器結束的連線（${decimal(ended)} 分鐘）。`,
    ),
  };
  if (total === 0) {
    yield { kind: 'text', text: text('No connection was lost in this period.', '此期間內沒有斷線。') };
    return;
  }
  yield { kind: 'heading', text: text('Minutes without a connection by day', '每日無連線分鐘數') };
  yield drawDays(daysBetween(evidence.time), evidence.minutes, decimal);
  if (places.length > 0) {
    yield { kind: 'heading', text: text('Where', '地點') };
    yield mapOf(places, text);
    yield* placeTable(evidence, text);
    if (vehicle !== undefined) yield { kind: 'text', text: comparisonOf(places, evidence.organization, text) };
    if (vehicle !== undefined && evidence.reportsFrom > evidence.time.from) yield reportsNote(evidence, language);
  }
  yield { kind: 'heading', text: text('Each outage', '各次斷線') };
  yield* outageTable(evidence, language);
  if (total > outages.length)
    yield {
      kind: 'note',
      text: text(
        `The last ${outages.length.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}; the file of the list has them all.`,
        `僅列出最近 ${outages.length.toLocaleString('en-US')} 次，共 ${total.toLocaleString('en-US')} 次；完整清單請下載檔案。`,
      ),
    };
}

/** Whether others had a connection where this vehicle lost its own. */
function comparisonOf(places: readonly PlaceRow[], organization: string, text: ReturnType<typeof say>): string {
  const visited = places.filter(({ samples }) => samples > 0);
  const quiet = visited.filter(({ others }) => others === 0);
  const reports = quiet.reduce((sum, { samples }) => sum + samples, 0).toLocaleString('en-US');
  if (visited.length === 0)
    return text(
      `No other vehicle of ${organization} sent a report from these ${places.length} places in this time.`,
      `此期間內，${organization} 沒有其他車輛在這 ${places.length} 個地點回報。`,
    );
  return text(
    `Other vehicles of ${organization} sent reports from ${visited.length} of these ${places.length} places. In ${quiet.length} of them none lost its connection in this time, while they sent ${reports} reports with a signal.`,
    `${organization} 的其他車輛曾在這 ${places.length} 個地點中的 ${visited.length} 個回報。其中 ${quiet.length} 個地點在此期間沒有任何其他車輛斷線，而它們共傳送了 ${reports} 筆訊號回報。`,
  );
}

/** Since when reports are compared, where the period begins before. */
function reportsNote({ reportsFrom }: Evidence, language: Language): DocumentBlock {
  const day = writeIsoDay(reportsFrom, language);
  return {
    kind: 'note',
    text: say(language)(`Reports of vehicles are kept since ${day} (UTC).`, `車輛回報自 ${day} 起保留（UTC）。`),
  };
}

const placeName = ({ names }: Evidence, hexagon: string): string => {
  const { latitude, longitude } = centerOf(hexagon);
  return names.get(hexagon) ?? `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;
};

function* placeTable(evidence: Evidence, text: ReturnType<typeof say>): Generator<DocumentBlock> {
  yield {
    kind: 'table',
    columns: [
      { title: '#', kind: 'number' },
      { title: text('Place', '地點') },
      { title: text('Outages', '次數'), kind: 'number' },
      { title: text('Minutes', '分鐘'), kind: 'number' },
      { title: text('Signal before (RSRP)', '斷線前訊號（RSRP）'), kind: 'number' },
      { title: text('Serving cells', '服務基地台') },
      { title: text('Outages of other vehicles', '其他車輛斷線次數'), kind: 'number' },
      {
        title:
          evidence.vehicle === undefined
            ? text('Reports of the fleet there', '車隊在該處的回報數')
            : text('Reports of other vehicles there', '其他車輛在該處的回報數'),
        kind: 'number',
      },
    ],
  };
  yield {
    kind: 'rows',
    rows: evidence.places.map(({ hexagon, outages, minutes, rsrp, cells, others, samples }, index) => [
      String(index + 1),
      placeName(evidence, hexagon),
      String(outages),
      decimal(minutes),
      rsrp === null ? '--' : `${Math.round(rsrp)} dBm`,
      cells,
      evidence.vehicle === undefined ? '--' : String(others),
      samples.toLocaleString('en-US'),
    ]),
  };
  // Without them the sums would look wrong.
  const { further, unplaced } = evidence;
  const rest = [
    { name: text(`Other places (${further.count})`, `其他地點（${further.count} 處）`), ...further },
    { name: text('No position known', '位置未知'), ...unplaced },
  ].filter(({ outages }) => outages > 0);
  yield {
    kind: 'rows',
    rows: rest.map(({ name, outages, minutes }) => ['', name, String(outages), decimal(minutes), '--', '--', '--', '--']),
  };
  if (further.count > 0)
    yield {
      kind: 'note',
      text: text(
        `Map and table show the ${evidence.places.length} places with the most minutes.`,
        `地圖與表格僅列出斷線分鐘數最多的 ${evidence.places.length} 個地點。`,
      ),
    };
}

function* outageTable({ outages, time, now, vehicle }: Evidence, language: Language): Generator<DocumentBlock> {
  const text = say(language);
  const at = timeIn(time.zone, language);
  yield {
    kind: 'table',
    columns: [
      ...(vehicle === undefined ? [{ title: text('Vehicle', '車輛') }] : []),
      { title: text('From', '開始') },
      { title: text('Until', '結束') },
      { title: text('Minutes', '分鐘'), kind: 'number' },
      { title: text('Reason', '原因') },
      { title: text('Carrier', '電信業者') },
      { title: text('Cell', '基地台') },
      { title: 'RSRP', kind: 'number' },
      { title: text('Last place', '最後位置') },
    ],
  };
  yield {
    kind: 'rows',
    rows: outages.map((row) => [
      ...(vehicle === undefined ? [row.name] : []),
      at(row.began_at),
      row.ended_at === null ? text('ongoing', '持續中') : at(row.ended_at),
      decimal(((row.ended_at ?? now).getTime() - row.began_at.getTime()) / 60_000),
      inLanguage(row.kind === 'lost' ? reasonTexts[row.reason] : kindTexts[row.kind], language),
      row.carrier === '' ? '--' : `${row.carrier} ${row.technology}`.trim(),
      row.serving_cell === '' ? '--' : row.serving_cell,
      row.rsrp === null ? '--' : `${Math.round(row.rsrp)}`,
      lastPlace(row),
    ]),
  };
  if (outages.some((row) => row.began_at < time.begins || (row.ended_at ?? now) > time.ends))
    yield {
      kind: 'note',
      text: text(
        'Outages are listed with their whole length; sums have the part of it within the period.',
        '斷線清單列出完整時間長度；合計僅計入期間內的部分。',
      ),
    };
}

/** As text, with its coordinates: the carrier finds its cell by them. */
function lastPlace({ latitude, longitude, place }: PlacedOutage): string {
  if (latitude === null || longitude === null) return '--';
  const coordinates = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return place === '' ? coordinates : `${place} (${coordinates})`;
}

const MAP_HEIGHT = 220;
const KM_PER_DEGREE = 111.2;

/** Hexagons by their minutes, numbered as in the table, north up, with a scale. */
function mapOf(places: readonly PlaceRow[], text: ReturnType<typeof say>): DocumentBlock {
  const corners = places.map(({ hexagon }) => cornersOf(hexagon));
  const all = corners.flat();
  const [west, east] = spread(all.map(([longitude]) => longitude));
  const [south, north] = spread(all.map(([, latitude]) => latitude));
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = Math.min((DRAWING_WIDTH - 20) / ((east - west) * squeeze), (MAP_HEIGHT - 30) / (north - south));
  const [shiftX, shiftY] = [
    (DRAWING_WIDTH - (east - west) * squeeze * scale) / 2,
    (MAP_HEIGHT - 14 - (north - south) * scale) / 2,
  ];
  const x = (longitude: number) => shiftX + (longitude - west) * squeeze * scale;
  const y = (latitude: number) => shiftY + (north - latitude) * scale;
  const most = Math.max(...places.map(({ minutes }) => minutes));
  const shapes = places.flatMap(({ minutes, hexagon }, index): Shape[] => {
    const path = `M${corners[index]!.map(([longitude, latitude]) => `${x(longitude).toFixed(1)} ${y(latitude).toFixed(1)}`).join('L')}Z`;
    const { latitude, longitude } = centerOf(hexagon);
    const tone = minutes > most / 2 ? 'poor' : minutes > most / 5 ? 'fair' : 'band';
    return [
      { path, fill: tone, stroke: 'ink', width: 0.5 },
      { text: String(index + 1), x: x(longitude), y: y(latitude) - 5, align: 'center' },
    ];
  });
  const km = niceLength((DRAWING_WIDTH / 4 / scale) * KM_PER_DEGREE);
  const length = (km / KM_PER_DEGREE) * scale;
  return {
    kind: 'drawing',
    height: MAP_HEIGHT,
    shapes: [
      { path: `M0 0H${DRAWING_WIDTH}V${MAP_HEIGHT}H0Z`, stroke: 'line', width: 0.5 },
      ...shapes,
      { path: `M10 ${MAP_HEIGHT - 16}v4h${length}v-4`, stroke: 'ink' },
      { text: `${km} km`, x: 14, y: MAP_HEIGHT - 26 },
      {
        text: text(
          'North is up; red: more than half as many minutes as the worst place',
          '上方為北；紅色：中斷分鐘數超過最嚴重地點的一半',
        ),
        x: DRAWING_WIDTH - 8,
        y: MAP_HEIGHT - 14,
        align: 'right',
      },
    ],
  };
}

/** The least and the greatest, at least five kilometres apart, so that one place is not the whole map. */
function spread(degrees: readonly number[]): readonly [least: number, greatest: number] {
  const [least, greatest] = [Math.min(...degrees), Math.max(...degrees)];
  const missing = Math.max(0, 5 / KM_PER_DEGREE - (greatest - least));
  return [least - missing / 2, greatest + missing / 2];
}

/** 1, 2 or 5 times a power of ten, at most this. */
function niceLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((factor) => factor * power <= most) ?? 1) * power;
}
