import { outages as calls } from '@highline/contract';
import type { Routes } from '../../platform/calls/call.ts';
import { chosenColumns, sendCsv } from '../../platform/csv/index.ts';
import { announceFile } from '../../platform/calls/attachment.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { writeEvidence, type EvidenceDeps } from './evidence.service.ts';
import { readKept } from './kept.queries.ts';
import { outageColumns, sumColumns } from './outages.export.ts';
import { timeOf } from './outages.period.ts';
import { withPlaceNames, withPlaces } from './outages.places.ts';
import { outageList, sumList } from './outages.queries.ts';

export type OutageRoutesDeps = Pick<Deps, 'streams' | 'clock'> & EvidenceDeps;

/** Registers the calls of outages (RPM-04, RPM-05). */
export function registerOutageRoutes(routes: Routes, deps: OutageRoutesDeps): void {
  const { reader, streams, clock, keptDays } = deps;

  routes.on(calls.evidencePack, async ({ scope, query, reply }) => {
    const now = clock.now();
    const { file, time } = await writeEvidence(deps, scope, query, now);
    announceFile(reply, `evidence_${time.from}_${time.until}.pdf`, 'application/pdf');
    return file;
  });

  routes.on(calls.listOutages, async ({ scope, query }) => {
    const now = clock.now();
    return outageList(timeOf(query, now, keptDays), now).respond({ reader, streams }, scope, query);
  });
  routes.on(calls.exportOutages, async (call) => {
    const { scope, query } = call;
    const now = clock.now();
    const time = await readKept(reader, scope, timeOf(query, now, keptDays), now);
    const columns = chosenColumns(outageColumns(now, time.zone, query.language), query.columns, calls.outageColumns);
    const rows = withPlaces(deps, scope, query.language ?? 'en-US', outageList(time, now).rows(streams, scope, query));
    return sendCsv(call, `outages_${time.from}_${time.until}`, columns, rows);
  });

  routes.on(calls.sumOutages, async ({ scope, query }) => {
    const now = clock.now();
    return sumList(timeOf(query, now, keptDays), now).respond({ reader, streams }, scope, query);
  });
  routes.on(calls.exportSums, async (call) => {
    const { scope, query } = call;
    const now = clock.now();
    const time = await readKept(reader, scope, timeOf(query, now, keptDays), now);
    const columns = chosenColumns(sumColumns, query.columns, calls.sumColumns);
    const rows = withPlaceNames(deps, scope, query.language ?? 'en-US', sumList(time, now).rows(streams, scope, query));
    return sendCsv(call, `outages_by_${query.by ?? 'vehicles'}_${time.from}_${time.until}`, columns, rows);
  });
}
