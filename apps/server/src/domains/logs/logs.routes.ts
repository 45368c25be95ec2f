import type { KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import { logs } from '@highline/contract';
import { sendCsv, chosenColumns, timeIn } from '../../platform/csv/index.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { createTotals, type Totals } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { logColumns } from './log.export.ts';
import { writeAuditExport } from './audit-export.ts';
import { chainOf, findCut, listPeople, logList, streamAuditExport } from './logs.queries.ts';

export interface LogRoutesDeps extends Pick<Deps, 'reader' | 'streams' | 'clock' | 'onChanged'> {
  /** Signs exported logs. */
  readonly auditKey: { readonly privateKey: KeyObject; readonly publicPem: string };
}

/** No operation changes an entry: LOG-02 has none, and the serving role has no permission for it. */
export function registerLogRoutes(routes: Routes, deps: LogRoutesDeps): void {
  const { reader, streams, clock, auditKey } = deps;
  const totals = createTotals<Totals>(deps);

  routes.on(logs.listLogs, async ({ scope, query }) => logList(clock.now()).respond({ reader, streams, totals }, scope, query));

  routes.on(logs.logPeople, async ({ scope }) => ({ result: await listPeople(reader, scope, logs.MAX_LOG_PEOPLE) }));

  routes.on(logs.exportLogs, async (call) => {
    const rows = logList(clock.now()).rows(streams, call.scope, call.query);
    const columns = chosenColumns(logColumns(timeIn(call.query.zone), call.query.language), call.query.columns, logs.logColumns);
    return sendCsv(call, 'Logs_export', columns, rows);
  });

  routes.on(logs.exportAuditLog, async ({ scope, reply }) => {
    const cut = await findCut(reader, scope);
    const about = { chain: chainOf(scope), exported: clock.now().toISOString(), ...(cut === undefined ? {} : { cut }) };
    const pieces = writeAuditExport(about, streamAuditExport(streams, scope), auditKey.privateKey);
    reply.header('content-type', 'application/x-ndjson');
    reply.header('content-disposition', `attachment; filename="audit-${about.chain}.ndjson"`);
    reply.header('cache-control', 'no-store');
    return Readable.from(pieces, { objectMode: false, highWaterMark: 65_536 });
  });

  routes.on(logs.auditKey, async () => ({ result: { publicKey: auditKey.publicPem } }));
}
