import type { analysis } from '@highline/contract';
import { DomainError, isId, type OrganizationScope } from '../../kernel/index.ts';
import type { ReadRows, TimedReader } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { getGroup } from '../groups/index.ts';
import { countForWindows, readKeptDays, type CataloguedProperty } from '../reports/index.ts';
import { validateQuestion, type AnalysisInput, type AnalysisQuestion } from './analysis.question.ts';
import { averagePerWindow, countPerDevice, countPerValue, countPerWindow, listValues, summarize } from './statistics.queries.ts';
import { windowStarts } from './windows.ts';

export interface AnalysisDeps extends Pick<Deps, 'database' | 'reader' | 'clock'> {
  readonly timed: TimedReader;
  /** Days that time series are kept (setting TELEMETRY_DAYS). */
  readonly keptDays: number;
}

export interface Responded {
  readonly points: analysis.Point[];
  /** Undefined = all of them together. */
  readonly property: CataloguedProperty | undefined;
  /** For numbers; counts have none. */
  readonly unit: string;
  /** Undefined if the query has no windows. */
  readonly window: analysis.Window | undefined;
  readonly zone: string;
}

/** A result that can be drawn: it has one property. */
export interface Drawable extends Responded {
  readonly property: CataloguedProperty;
}

/**
 * Answer one of the six queries: shared by statistics/{category} and prepare/{chartType}.
 * @throws DomainError per ANA-03; `group.not_found`, `not_found` for a group or device of another organization; `report.too_slow`
 */
export async function respond(deps: AnalysisDeps, scope: OrganizationScope, input: AnalysisInput): Promise<Responded> {
  const now = deps.clock.now();
  const question = validateQuestion(scope, input, { now, keptDays: await readKeptDays(deps.reader, scope, deps.keptDays) });
  await rejectForeign(deps, scope, input);
  const { property, zone } = question;
  const window = isCutIntoWindows(question) ? (question.window ?? (await windowOf(deps, scope, question))) : undefined;
  const points = await deps.timed.read((rows) => pointsOf(rows, question, window, now));
  const measures = question.chartType === 'average' || question.chartType === 'runChart' || question.chartType === 'sumarty';
  return { points, property, unit: measures ? (property?.unit ?? '') : '', window, zone };
}

function isCutIntoWindows({ chartType }: AnalysisQuestion): boolean {
  return chartType === 'record' || chartType === 'average';
}

async function windowOf(deps: AnalysisDeps, scope: OrganizationScope, { records }: AnalysisQuestion): Promise<analysis.Window> {
  const { window } = await countForWindows(deps, scope, records);
  return window;
}

function pointsOf(
  rows: ReadRows,
  { chartType, property, records, range, zone }: AnalysisQuestion,
  window: analysis.Window | undefined,
  now: Date,
): Promise<analysis.Point[]> {
  const isNumber = property?.type === 'number';
  // Future windows have no records yet.
  const starts = () => windowStarts(range, window!, zone).filter((start) => start <= now);
  switch (chartType) {
    case 'device':
      return countPerDevice(rows, records);
    case 'record':
      return countPerWindow(rows, records, starts());
    case 'average':
      return averagePerWindow(rows, records, starts());
    case 'sumarty':
      return isNumber ? summarize(rows, records) : countPerValue(rows, records);
    case 'piechart':
      return countPerValue(rows, records);
    case 'runChart':
      return listValues(rows, records);
  }
}

async function rejectForeign(
  { database }: AnalysisDeps,
  scope: OrganizationScope,
  { group, device }: AnalysisInput,
): Promise<void> {
  if (group !== undefined && group !== '') await getGroup(database.read, scope, group);
  if (device === undefined || device === '') return;
  const found = isId(device)
    ? await database.read
        .selectFrom('devices')
        .select('id')
        .where('organization_id', '=', scope.organizationId)
        .where('id', '=', device)
        .executeTakeFirst()
    : undefined;
  if (found === undefined) throw new DomainError('not_found', { field: 'device' });
}
