import { reports } from '@highline/contract';
import { streamList, type Routes } from '../../platform/calls/index.ts';
import { createCache, limitOf, mapRows, type TimedReader } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { propertyDtos } from './property.catalogue.ts';
import { countForWindows } from './record.count.ts';
import { sendExport } from './record.export.ts';
import { questionOf, type RecordQuestion } from './record.question.ts';
import { toRecordDto } from './record.dto.ts';
import { countMatches, MOST_COUNTED, pageRecords, streamRecords, type RecordPage } from './records.queries.ts';
import { deviceDataList } from './reports.queries.ts';
import { deleteReport, listReports, saveReport, type ReportServiceDeps } from './reports.service.ts';
import { readKeptDays } from './retention.queries.ts';
import { timeRangeOf } from './time-range.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export interface ReportRoutesDeps extends ReportServiceDeps, Pick<Deps, 'reader' | 'streams'> {
  readonly timed: TimedReader;
  /** Days that time series are kept (setting TELEMETRY_DAYS). */
  readonly keptDays: number;
}

/** While a user pages through it, a recent total is reused. */
const TOTAL_FRESH_MS = 15_000;

/** Registers records and saved reports (RPT). */
export function registerReportRoutes(routes: Routes, deps: ReportRoutesDeps): void {
  registerRecords(routes, deps);
  registerPickers(routes, deps);
  registerSavedReports(routes, deps);
}

function registerRecords(routes: Routes, deps: ReportRoutesDeps): void {
  const { reader, streams, timed, clock, keptDays } = deps;
  const totals = createCache<number | undefined>(clock, TOTAL_FRESH_MS);
  const ask = async (
    scope: OrganizationScope,
    query: reports.RecordQuery & { readonly zone?: string | undefined },
  ): Promise<RecordQuestion> => {
    const horizon = { now: clock.now(), keptDays: await readKeptDays(reader, scope, keptDays) };
    return questionOf(scope, query, timeRangeOf({ from: query.on, to: query.to }, query.zone ?? 'UTC', horizon));
  };
  const totalOf = (scope: OrganizationScope, query: reports.RecordQuery, question: RecordQuestion) =>
    totals.get(scope.organizationId, JSON.stringify([reader.source.name(), question.key, query.on, query.to]), () =>
      countMatches(timed, question),
    );

  routes.on(reports.listRecords, async ({ scope, query }) => {
    const question = await ask(scope, query);
    const { limit, cursor, offset } = { ...query, limit: limitOf(query) };
    if (limit === undefined)
      return streamList(mapRows(await streamRecords({ timed, streams }, question, clock.now()), (row) => toRecordDto(row)));
    const [page, total] = await Promise.all([
      pageRecords(timed, scope, question, { limit, cursor, offset }, clock.now()),
      totalOf(scope, query, question),
    ]);
    const counted = countedOf(total, page);
    return { result: page.rows.map((row) => toRecordDto(row)), ...counted, offset: page.offset, next: page.next };
  });

  routes.on(reports.exportRecords, async ({ scope, query, reply }) => sendExport(deps, reply, await ask(scope, query), query));

  routes.on(reports.countRecords, async ({ scope, query }) => ({
    result: await countForWindows(deps, scope, await ask(scope, query)),
  }));
}

/** The known part of the total: the exact number, that it exceeds the counting limit, or on the last page the actual end. */
function countedOf(total: number | undefined, { rows, offset, next }: RecordPage): { total?: number; more: boolean } {
  if (total !== undefined && total <= MOST_COUNTED) return { total, more: false };
  if (total !== undefined) return { total: MOST_COUNTED, more: true };
  return next === null && rows.length > 0 ? { total: offset + rows.length, more: false } : { more: true };
}

function registerPickers(routes: Routes, deps: ReportRoutesDeps): void {
  routes.on(reports.listProperties, async () => ({ result: propertyDtos }));

  routes.on(reports.listDeviceData, async ({ scope, query }) => deviceDataList.respond(deps, scope, query));
}

function registerSavedReports(routes: Routes, deps: ReportRoutesDeps): void {
  routes.on(reports.listReports, async ({ scope, actor }) => ({ result: await listReports(deps, scope, actor) }));

  routes.on(reports.saveReport, async ({ scope, actor, body }) => ({ result: await saveReport(deps, scope, actor, body) }));

  routes.on(reports.deleteReport, async ({ scope, actor, params }) => {
    await deleteReport(deps, scope, actor, params.report);
    return { result: { deleted: 1 } };
  });
}
