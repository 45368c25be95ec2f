import { createSecretKey } from 'node:crypto';
import { createDatabase } from '../platform/adapters/database.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { createWebCaller } from '../platform/adapters/web-caller/web-caller.ts';
import { createSecretSealing, createWebhookWorker } from '../domains/webhooks/index.ts';
import { silentLog } from './log.ts';

// Sends webhooks in a separate process, to be killed: `webhook-process.ts <settings of the database as JSON> <master key in hex>`.

const [settings = '', masterKey = ''] = process.argv.slice(2);
const { pool } = await openDatabase(JSON.parse(settings) as Parameters<typeof openDatabase>[0], silentLog);
const database = createDatabase(pool, () => {});
const worker = createWebhookWorker({
  database,
  clock: { now: () => new Date() },
  log: silentLog,
  caller: createWebCaller({ allowsHttp: true, allowedNetworks: ['127.0.0.1'], timeoutMs: 60_000 }),
  sealing: createSecretSealing(createSecretKey(Buffer.from(masterKey, 'hex'))),
  origin: () => 'https://cloud.test',
});
// Until the test kills it.
setInterval(() => worker.wake(), 100);
