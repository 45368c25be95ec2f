import { sql } from 'kysely';
import type { Database } from '../platform/ports/database.ts';

const STEP_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/** A small deterministic generator (mulberry32), so that every first start produces the same day. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One day of measurements of every claimed router, every five minutes: signal, temperature, voltage, data used. */
export async function seedTelemetry(database: Database, now: Date): Promise<void> {
  const routers = await database.read
    .selectFrom('routers')
    .select('id')
    .where('device_id', 'is not', null)
    .orderBy('serial')
    .execute();
  const from = new Date(now.getTime() - DAY_MS);
  // Owned since before the day began, otherwise its owner could not see the day.
  await sql`update router_ownership set owned_from = least(owned_from, ${new Date(from.getTime() - DAY_MS)}::timestamptz)`.execute(
    database.read,
  );
  for (const [index, { id }] of routers.entries()) await seedRouter(database, id, index + 1, from, now);
}

async function seedRouter(database: Database, routerId: string, seed: number, from: Date, to: Date): Promise<void> {
  const rows = { at: [] as Date[], parameter: [] as number[], value: [] as number[] };
  const random = generator(seed);
  let sent = 0;
  let received = 0;
  let rssi = -62 - 20 * random();
  for (let time = Math.ceil(from.getTime() / STEP_MS) * STEP_MS; time < to.getTime(); time += STEP_MS) {
    const hour = (time / 3_600_000) % 24;
    const driving = hour > 10 || hour < 3;
    rssi = Math.max(-105, Math.min(-52, rssi + (random() - 0.5) * (driving ? 7 : 1)));
    sent += Math.round(random() * (driving ? 3_000_000 : 60_000));
    received += Math.round(random() * (driving ? 14_000_000 : 150_000));
    const values = [
      [1, rssi],
      [2, rssi - 24 - random() * 4],
      [3, -9 - random() * 5],
      [4, 31 + 9 * Math.sin(((hour - 15) / 24) * 2 * Math.PI) + random() * 2],
      [5, driving ? 13.7 + random() * 0.5 : 12.4 + random() * 0.2],
      [6, sent],
      [7, received],
    ] as const;
    for (const [parameter, value] of values) {
      rows.at.push(new Date(time));
      rows.parameter.push(parameter);
      rows.value.push(Math.round(value * 100) / 100);
    }
  }
  await sql`insert into telemetry (router_id, at, parameter, value)
    select ${routerId}::uuid, t.at, t.parameter, t.value
    from unnest(${rows.at}::timestamptz[], ${rows.parameter}::smallint[], ${rows.value}::double precision[]) as t(at, parameter, value)`.execute(
    database.read,
  );
}
