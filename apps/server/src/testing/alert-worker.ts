import { compareAll, createReadingAlerts, fireAndResolve, sendMessages } from '../domains/alerts/index.ts';
import { createTelemetry } from '../domains/router-state/index.ts';
import { createDatabase } from '../platform/adapters/database.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { createReader } from '../platform/listing/index.ts';
import type { DatabaseSettings } from '../platform/settings/settings.ts';
import { silentLog } from './log.ts';

// One part of the work of alerts, for tests that kill it. Arguments: settings of the database as JSON, the time as ISO 8601, the work
// (`compare`, `fire`, `send`, or reports to store as JSON), and how often.

/** The same temperature of several routers. */
interface Reports {
  readonly routers: readonly string[];
  readonly temperature: number;
}

const [settings, at, work, times] = process.argv.slice(2) as [string, string, string, string];
const opened = await openDatabase(JSON.parse(settings) as DatabaseSettings, silentLog);
const database = createDatabase(opened.pool, () => {});
const now = new Date(at);
const clock = { now: () => now };
for (let time = 0; time < Number(times); time++) await doWork();
await opened.close();

async function doWork(): Promise<void> {
  if (work === 'compare') await compareAll(database, now);
  else if (work === 'fire') await fireAndResolve({ database, clock, reader: createReader(database), expiringDays: 30 }, now);
  else if (work === 'send') await sendMessages({ database, log: silentLog, origin: () => 'https://cloud.test' }, now);
  else await store(JSON.parse(work) as Reports);
}

async function store({ routers, temperature }: Reports): Promise<void> {
  const lookAt = createReadingAlerts({ clock });
  const telemetry = createTelemetry({ database, clock, log: silentLog, retentionDays: 30, lookAt });
  await telemetry.start();
  const samples = [{ at: now.getTime(), parameter: 'temperature' as const, value: temperature }];
  await Promise.all(routers.map((id) => telemetry.write(id, samples)));
  await telemetry.stop();
}
