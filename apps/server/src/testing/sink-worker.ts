import { createDatabase } from '../platform/adapters/database.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { createHttpSink } from '../platform/adapters/sinks/https.ts';
import { readSinkUrl } from '../platform/settings/sink-settings.ts';
import { findOwnersAt } from '../domains/inventory/index.ts';
import { createTelemetrySink } from '../domains/router-state/index.ts';

// Copies readings in a separate process, to be killed: `sink-worker.ts <settings of the database as JSON> <http://…>`.

const [settings = '', url = ''] = process.argv.slice(2);
const log = { debug() {}, info() {}, warn() {}, error() {} };
const { pool } = await openDatabase(JSON.parse(settings) as Parameters<typeof openDatabase>[0], log);
const database = createDatabase(pool, () => {});
const to = readSinkUrl(url);
if (to?.kind !== 'http') throw new Error('Needs the address of an HTTP sink.');
const copying = createTelemetrySink({
  database,
  log,
  sink: createHttpSink(to),
  node: 'killed',
  hours: 24,
  findOwners: (reports) => findOwnersAt(database.read, reports),
});
for (;;) await copying.jobs[0]!.run(new Date());
