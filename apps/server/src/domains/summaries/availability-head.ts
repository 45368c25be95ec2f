import type { Language, outages as calls } from '@highline/contract';
import { inLanguage, protectedText } from '../../platform/csv/index.ts';
import type { DocumentBlock } from '../../platform/pdf/document.ts';
import { differenceOf, shareOf, sumColumns, sumList, type SumRow } from '../outages/index.ts';
import type { KindSources, SummaryRequest } from './kind-request.ts';

/** Rows of each table above the whole one: the worst. */
const WORST = 10;

const titles: Readonly<Record<'groups' | 'carriers' | 'vehicles', readonly [english: string, chinese: string]>> = {
  groups: ['Groups, the worst ten', '群組（最差的十個）'],
  carriers: ['Carriers, the worst ten', '電信業者（最差的十家）'],
  vehicles: ['Vehicles, the worst ten', '車輛（最差的十輛）'],
};

/** What stands above the table of the availability: its share in all against the target, and the worst by group, carrier and vehicle (RPM-05). */
export async function* availabilityHead(
  { reader, streams }: KindSources,
  { scope, time, now, language, sumBy = 'vehicles' }: SummaryRequest,
  limits: Pick<calls.SumQuery, 'group' | 'carrier' | 'tag'>,
): AsyncGenerator<DocumentBlock> {
  const text = (english: string, chinese: string) => inLanguage([english, chinese], language);
  const list = sumList(time, now);
  const all = { rated: 0, expected: 0, outages: 0, vehicles: 0, shares: 0, missed: 0 };
  const targets = new Set<number | null>();
  for await (const row of list.rows(streams, scope, { ...limits, by: 'vehicles', sort: 'share' })) {
    all.rated += row.rated;
    all.expected += row.expected ?? 0;
    all.outages += row.outages;
    all.vehicles += 1;
    all.shares += shareOf(row) === null ? 0 : 1;
    all.missed += (differenceOf(row) ?? 0) < 0 ? 1 : 0;
    if (row.target !== null) targets.add(row.target);
  }
  const [target = null, ...others] = targets;
  const percent = (value: number | null) => (value === null ? '--' : `${value}%`);
  yield {
    kind: 'figures',
    figures: [
      { label: text('availability', '可用率'), value: percent(shareOf(all)) },
      { label: text('target', '目標'), value: others.length > 0 ? text('several', '多項') : percent(target) },
      {
        label: text('vehicles below the target', '低於目標的車輛數'),
        value: targets.size === 0 ? '--' : `${all.missed.toLocaleString('en-US')} / ${all.shares.toLocaleString('en-US')}`,
      },
      { label: text('outages', '次斷線'), value: all.outages.toLocaleString('en-US') },
    ],
  };
  for (const by of ['groups', 'carriers', 'vehicles'] as const) {
    const { rows } = await list.page({ reader }, scope, { ...limits, by, sort: 'share' }, WORST);
    // A table of all of them, with as many, follows.
    if (rows.length === 0 || (by === sumBy && all.vehicles <= WORST)) continue;
    yield { kind: 'heading', text: text(...titles[by]) };
    yield* worstTable(rows, language, scope.kind === 'main');
  }
  yield { kind: 'heading', text: text('All', '全部') };
}

function* worstTable(rows: readonly SumRow[], language: Language, isMain: boolean): Generator<DocumentBlock> {
  const { name, org, share, target, difference, minutes, outages } = sumColumns;
  const hasTarget = rows.some((row) => row.target !== null);
  const columns = [name, ...(isMain ? [org] : []), share, ...(hasTarget ? [target, difference] : []), minutes, outages];
  yield {
    kind: 'table',
    columns: columns.map(([english, chinese, , kind]) => ({
      title: inLanguage([english, chinese], language),
      ...(kind === 'number' && { kind }),
    })),
  };
  yield {
    kind: 'rows',
    rows: rows.map((row, index) =>
      columns.map(([, , cell]) => {
        const value = cell(row, index, language);
        return protectedText(typeof value === 'string' ? value : inLanguage(value, language));
      }),
    ),
  };
}
