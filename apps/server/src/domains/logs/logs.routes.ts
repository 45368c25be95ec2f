import type { KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import { logs } from '@highline/contract';
import { announceCsv, timeIn, writeCsv } from '../../platform/csv/index.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { streamList } from '../../platform/calls/json-stream.ts';
import { createCache, limitOf } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { logColumns } from './log.export.ts';
import { writeAuditExport } from './audit-export.ts';
import { chainOf, findCut, toLogDto, pageLog, streamAuditExport, streamLog, type LogRow } from './logs.queries.ts';

export interface LogRoutesDeps extends Pick<Deps, 'reader' | 'streams' | 'clock' | 'onChanged'> {
  /** Signs exported logs. */
  readonly auditKey: { readonly privateKey: KeyObject; readonly publicPem: string };
}

const TOTALS_LIFETIME_MS = 2_000;

/** No operation changes an entry: LOG-02 has none, and the serving role has no permission for it. */
export function registerLogRoutes(routes: Routes, { reader, streams, clock, auditKey, onChanged }: LogRoutesDeps): void {
  const totals = createCache<number>(clock, TOTALS_LIFETIME_MS);
  onChanged((mainAccountId) => totals.invalidate(mainAccountId));

  routes.on(logs.listLogs, async ({ scope, query }) => {
    const limit = limitOf(query);
    if (limit !== undefined) return pageLog(reader, totals, scope, query, limit, clock.now());
    return streamList(presented(streamLog(streams, scope, query, clock.now())));
  });

  routes.on(logs.exportLogs, async ({ scope, query, reply }) => {
    const columns = logColumns(query.language ?? 'en-US', timeIn(query.zone));
    const file = writeCsv(columns, streamLog(streams, scope, query, clock.now()));
    announceCsv(reply, 'Logs_export');
    return file;
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

async function* presented(rows: AsyncIterable<LogRow>) {
  for await (const row of rows) yield toLogDto(row);
}
