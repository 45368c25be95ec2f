import pg from 'pg';
import { pino } from 'pino';
import { openDatabase, type OpenedDatabase } from '../adapters/postgres/connect.ts';
import { composeServer, type HighlineServer } from '../compose.ts';
import { systemClock, type Clock } from '../ports/clock.ts';
import { readSettings } from '../settings.ts';
import { createTestDatabase } from '../testing.ts';
import { createSeeding, type Seeding } from './seeding.ts';

export interface TestServer {
  readonly url: string;
  readonly operations: HighlineServer['operations'];
  readonly database: HighlineServer['database'];
  /** The owner's connection, who sees and may do everything. */
  readonly owner: pg.Client;
  readonly seeding: Seeding;
  close(): Promise<void>;
}

/** The whole server on a database of its own and a free port of loopback, answers held against their schemas. */
export async function startTestServer(options: { readonly clock?: Clock; readonly folder?: string } = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const clock = options.clock ?? systemClock;
  const settings = readSettings('demo', {
    PORT: '0',
    DATABASE_URL: database.ownerUrl,
    DATABASE_SERVE_URL: database.serveUrl,
    HIGHLINE_DATA_DIR: options.folder ?? `/tmp/highline-test-${process.pid}`,
    LOG_LEVEL: 'fatal',
  });
  const log = pino({ level: 'fatal' });
  const opened: OpenedDatabase = await openDatabase(settings.database, log);
  const server = await composeServer({
    settings,
    pool: opened.pool,
    ready: opened.ready,
    log,
    clock,
    checkAnswers: true,
    withoutConsole: true,
    patienceMs: 500,
  });
  await server.listen();
  const owner = new pg.Client(database.ownerUrl);
  await owner.connect();
  return {
    url: `http://127.0.0.1:${server.port}`,
    operations: server.operations,
    database: server.database,
    owner,
    seeding: createSeeding(server.database, clock),
    async close() {
      await owner.end();
      await server.close();
      await opened.close();
      await database.close();
    },
  };
}
