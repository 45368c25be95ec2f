import type { Deps } from '../../../platform/ports/deps.ts';
import { BatchWriter, batchWriterDefaults } from '../../../platform/retry/batch-writer.ts';
import type { Responses } from '../ingest/responses.ts';
import { readClients } from './clients.ts';
import { writeTables, type TableName, type TableRow } from './tables.job.queries.ts';
import { readLans, readUplinks } from './uplinks.ts';
import { readWifi } from './wifi.ts';

/** Tables of instances that routers report: a second kind of fact, of which the last state is kept. */
export interface TablesService {
  /** Store the tables that were read. Resolves when they are committed. @param clockSkewMs how far the router's clock is ahead */
  record(routerId: string, responses: Responses, names: readonly TableName[], clockSkewMs?: number): Promise<void>;
  /** Write what waits, and accept no more. */
  stop(timeoutMs?: number): Promise<void>;
}

/** Create the writer of tables. */
export function createTables({ database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>): TablesService {
  const writer = new BatchWriter<TableRow>(
    'tables of routers',
    (rows) => database.write((tx) => writeTables(tx, rows, clock.now())),
    async () => {},
    // Someone waits for it.
    { ...batchWriterDefaults, collectMs: 250, batchRows: 500 },
    log,
  );
  return {
    async record(routerId, responses, names, clockSkewMs) {
      const rows = names.flatMap((name): TableRow[] => {
        const content = contents[name](responses, clockSkewMs);
        return content === undefined ? [] : [{ routerId, name, content }];
      });
      if (rows.length > 0) await writer.write(rows);
    },
    stop: (timeoutMs = 10_000) => writer.close(timeoutMs),
  };
}

const contents: {
  readonly [Name in TableName]: (responses: Responses, clockSkewMs?: number) => TableRow['content'] | undefined;
} = {
  uplinks(responses) {
    const uplinks = readUplinks(responses);
    if (uplinks === undefined) return undefined;
    const carrier = uplinks.findIndex(({ carries }) => carries);
    return { uplinks, backup: carrier > 0, down: uplinks.some(({ enabled, up }) => enabled && !up), lans: readLans(responses) };
  },
  wifi: readWifi,
  clients: readClients,
};
