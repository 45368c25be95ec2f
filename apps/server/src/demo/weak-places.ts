import { sql } from 'kysely';
import { cellAt } from '../domains/coverage/index.ts';
import { storePositions } from '../domains/positions/index.ts';
import type { Database } from '../platform/ports/database.ts';
import { placeAt } from './coverage.ts';
import { demoOrganizations } from './fleet-data.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The vehicle that loses its connection where others keep theirs. */
const VEHICLE = 'Bus 2166';
/** Days before today; `seedCoverage` fills the two before them with drives. */
const [FIRST_DAY, LAST_DAY] = [4, 29];
/** Where: minutes of the round, the cell that served there, and the usual signal before, dBm. */
const places = [
  { minute: 9, cell: '310-410-20148-7', rsrp: -119 },
  { minute: 17, cell: '310-410-20151-2', rsrp: -122 },
  { minute: 26, cell: '310-410-20160-4', rsrp: -117 },
] as const;

/** Thirty days in which one vehicle lost its connection at the same places again and again: what an evidence pack is made of (RPM-04). */
export async function seedWeakPlaces(database: Database, now: Date): Promise<void> {
  const vehicle = demoOrganizations[0]!.vehicles.find(({ vehicle: name }) => name === VEHICLE);
  const [router] = await database.read
    .selectFrom('routers')
    .select(['id', 'organization_id', 'device_id'])
    .where('serial', '=', vehicle?.serial ?? '')
    .execute();
  if (router === undefined) return;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  await sql`select ensure_position_partitions(${day(today - LAST_DAY * DAY_MS)}::date, ${day(today)}::date)`.execute(
    database.read,
  );
  await sql`update router_ownership set owned_from = least(owned_from, ${new Date(today - (LAST_DAY + 1) * DAY_MS)}::timestamptz)
    where router_id = ${router.id}::uuid`.execute(database.read);
  for (let back = LAST_DAY; back >= FIRST_DAY; back -= 1)
    for (const [index, place] of places.entries()) {
      if ((back + index) % 3 === 0) continue;
      const from = today - back * DAY_MS + (13 + index * 3) * 3_600_000 + (7 + (back % 20)) * MINUTE_MS;
      await loseConnection(database, router.id, place, from, from + (2 + ((back + index) % 5)) * MINUTE_MS);
    }
}

/** A loss, unless the router was offline then, or soon before or after it. */
async function loseConnection(
  database: Database,
  router: string,
  { minute, cell, rsrp }: (typeof places)[number],
  from: number,
  until: number,
): Promise<void> {
  const [latitude, longitude] = placeAt(minute);
  const [began, ended] = [new Date(from), new Date(until)];
  const before = rsrp - ((from / MINUTE_MS) % 4);
  const { numAffectedRows = 0n } = await sql`insert into connectivity (router_id, at, kind, reason)
    select ${router}::uuid, c.* from (values (${began}::timestamptz, 'offline', 'no-answer'), (${ended}::timestamptz, 'online', 'connected')) c (at, kind, reason)
    where not exists (select from connectivity o where o.router_id = ${router}::uuid
      and o.at between ${began}::timestamptz - interval '10 minutes' and ${ended}::timestamptz + interval '10 minutes')
      and 'offline' is distinct from (select o.kind from connectivity o where o.router_id = ${router}::uuid and o.at < ${began}::timestamptz
        order by o.at desc limit 1)`.execute(database.read);
  if (numAffectedRows === 0n) return;
  const fix = { routerId: router, at: from - 15_000, latitude, longitude, speed: 31, heading: null, accuracy: null };
  await database.write((tx) => storePositions(tx, [fix], began));
  // As the job of outages stores it, with the cell that it knows only soon after it.
  await sql`insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell, rsrp,
      latitude, longitude, hexagon)
    select r.organization_id, r.device_id, r.id, ${began}, ${ended}, 'lost', 'no-answer', 'AT&T', 'LTE', ${cell}, ${before}, ${latitude}, ${longitude},
      ${cellAt(latitude, longitude)} from routers r where r.id = ${router}::uuid on conflict do nothing`.execute(database.read);
}
