import { fireAndResolve } from '../domains/alerts/index.ts';
import { createDatabase } from '../platform/adapters/database.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { createReader } from '../platform/listing/index.ts';
import type { DatabaseSettings } from '../platform/settings/settings.ts';
import { silentLog } from './log.ts';

// Fires and resolves alerts once, for tests that kill it. Arguments: settings of the database as JSON, and the time as ISO 8601.

const [settings, at] = process.argv.slice(2) as [string, string];
const opened = await openDatabase(JSON.parse(settings) as DatabaseSettings, silentLog);
const database = createDatabase(opened.pool, () => {});
const clock = { now: () => new Date(at) };
await fireAndResolve({ database, clock, reader: createReader(database), expiringDays: 30 }, clock.now());
await opened.close();
