import { createDatabase } from '../platform/adapters/database.ts';
import { createSmtpTransport } from '../platform/adapters/mail/smtp.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { deliverDueMails } from '../domains/mails/index.ts';
import { createTestSealing } from './sealing.ts';

// Mail delivery in a separate process, to be killed: `mail-worker.ts <settings of the database as JSON> <smtp://…>`.

const [settings = '', smtp = ''] = process.argv.slice(2);
const log = { debug() {}, info() {}, warn() {}, error() {} };
const { pool } = await openDatabase(JSON.parse(settings) as Parameters<typeof openDatabase>[0], log);
const database = createDatabase(pool, () => {});
const transport = createSmtpTransport(smtp, 'Highline <no-reply@highline.invalid>');
await deliverDueMails({ database, transport, sealing: createTestSealing(), now: () => new Date(), log });
// Keep running until the test kills it.
setInterval(() => {}, 60_000);
