import { sql } from 'kysely';
import type { Database } from '../platform/ports/database.ts';
import { generator } from './generator.ts';
import { PAST_DAYS } from './past.ts';

const STEP_MS = 5 * 60_000;
/** Before the last day. */
const OLDER_STEP_MS = 30 * 60_000;
const DAY_MS = 86_400_000;

/** A month of measurements of every claimed router, on its last day every five minutes: signal, temperature, voltage, data used. */
export async function seedTelemetry(database: Database, now: Date): Promise<void> {
  const routers = await database.read
    .selectFrom('routers')
    .select('id')
    .where('device_id', 'is not', null)
    .orderBy('serial')
    .execute();
  const from = new Date(now.getTime() - (PAST_DAYS - 1) * DAY_MS);
  // Owned and connected since before the day began, otherwise its owner could not see the day.
  const before = new Date(from.getTime() - DAY_MS);
  await sql`update router_ownership set owned_from = least(owned_from, ${before}::timestamptz)`.execute(database.read);
  await sql`update routers set first_online_at = ${before}::timestamptz where device_id is not null`.execute(database.read);
  for (const [index, { id }] of routers.entries()) await seedRouter(database, id, index + 1, from, now);
}

async function seedRouter(database: Database, routerId: string, seed: number, from: Date, to: Date): Promise<void> {
  const columns = ['rssi', 'rsrp', 'rsrq', 'temperature', 'voltage', 'bytes_sent', 'bytes_received'] as const;
  const times: Date[] = [];
  const series: number[][] = columns.map(() => []);
  const random = generator(seed);
  let sent = 0;
  let received = 0;
  let rssi = -62 - 20 * random();
  const lastDay = to.getTime() - DAY_MS;
  const begin = Math.ceil(from.getTime() / OLDER_STEP_MS) * OLDER_STEP_MS;
  for (let time = begin; time < to.getTime(); time += time < lastDay ? OLDER_STEP_MS : STEP_MS) {
    const hour = (time / 3_600_000) % 24;
    const driving = hour > 10 || hour < 3;
    rssi = Math.max(-105, Math.min(-52, rssi + (random() - 0.5) * (driving ? 7 : 1)));
    sent += Math.round(random() * (driving ? 3_000_000 : 60_000));
    received += Math.round(random() * (driving ? 14_000_000 : 150_000));
    const values = [
      rssi,
      rssi - 24 - random() * 4,
      -9 - random() * 5,
      31 + 9 * Math.sin(((hour - 15) / 24) * 2 * Math.PI) + random() * 2,
      driving ? 13.7 + random() * 0.5 : 12.4 + random() * 0.2,
      sent,
      received,
    ];
    times.push(new Date(time));
    for (const [index, value] of values.entries()) series[index]!.push(Math.round(value * 100) / 100);
  }
  const arrays = sql.join(series.map((values) => sql`${values}::double precision[]`));
  await sql`insert into telemetry_reports (router_id, at, ${sql.join(columns.map((name) => sql.ref(name)))})
    select ${routerId}::uuid, t.* from unnest(${times}::timestamptz[], ${arrays}) t`.execute(database.read);
}
