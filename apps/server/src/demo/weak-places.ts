import { sql } from 'kysely';
import { cellAt } from '../domains/coverage/index.ts';
import { storePositions } from '../domains/positions/index.ts';
import type { Database } from '../platform/ports/database.ts';
import { DRIVEN_DAYS, placeAt } from './coverage.ts';
import { demoOrganizations } from './fleet-data.ts';
import { demoCellAt } from './serving-cells.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The vehicle that loses its connection where others keep theirs. */
const VEHICLE = 'Bus 2166';
/** Days before today; `seedCoverage` fills the two before them with drives. */
const [FIRST_DAY, LAST_DAY] = [4, 29];
const CARRIER = 'AT&T';
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
  await sql`select ensure_position_partitions(${day(today - (LAST_DAY + 1) * DAY_MS)}::date, ${day(today)}::date)`.execute(
    database.read,
  );
  await sql`update router_ownership set owned_from = least(owned_from, ${new Date(today - (LAST_DAY + 1) * DAY_MS)}::timestamptz)
    where router_id = ${router.id}::uuid`.execute(database.read);
  await placePast(database, router.id, today);
  for (let back = LAST_DAY; back >= FIRST_DAY; back -= 1)
    for (const [index, place] of places.entries()) {
      if ((back + index) % 3 === 0) continue;
      const from = today - back * DAY_MS + (13 + index * 3) * 3_600_000 + (7 + (back % 20)) * MINUTE_MS;
      await loseConnection(database, router.id, place, from, from + (2 + ((back + index) % 5)) * MINUTE_MS);
    }
}

/** Losses of `seedPast` that are stored without a place. */
async function readPast(database: Database, router: string, today: number) {
  const driven = [...DRIVEN_DAYS].map((back) => new Date(today - back * DAY_MS).toISOString().slice(0, 10));
  const { rows } = await sql<{
    began: Date;
    ended: Date;
    reason: string;
  }>`select c.at as began, n.at as ended, c.reason from connectivity c
    cross join lateral (select o.at from connectivity o where o.router_id = c.router_id and o.kind = 'online' and o.at > c.at order by o.at limit 1) n
    where c.router_id = ${router}::uuid and c.kind = 'offline' and (c.at at time zone 'UTC')::date <> all (${driven}::date[])
    order by c.at`.execute(database.read);
  return rows;
}

/** The connector comes loose where the road is bad, which is at the weak places; other connections are lost anywhere on the round. */
async function placePast(database: Database, router: string, today: number): Promise<void> {
  const losses = (await readPast(database, router, today)).map(({ began, ended, reason }, index) => {
    const weak = reason === 'connection-lost' ? places[index % places.length]! : undefined;
    const [latitude, longitude] = placeAt(weak?.minute ?? began.getTime() / MINUTE_MS);
    const cell = weak?.cell ?? demoCellAt(latitude, longitude, CARRIER, 'LTE');
    return { began, ended, reason, cell, latitude, longitude, rsrp: weak === undefined ? null : weak.rsrp + (index % 4) };
  });
  await database.write((tx) => storePositions(tx, losses.map(({ began, latitude, longitude }) => fixBefore(router, began, latitude, longitude)), new Date(today))); // prettier-ignore
  await storeOutages(database, router, losses);
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
  await database.write((tx) => storePositions(tx, [fixBefore(router, began, latitude, longitude)], began));
  await storeOutages(database, router, [{ began, ended, reason: 'no-answer', cell, rsrp: before, latitude, longitude }]);
}

/** The last position before a loss; positions have whole seconds. */
const fixBefore = (routerId: string, began: Date, latitude: number, longitude: number) => ({
  routerId,
  at: (Math.floor(began.getTime() / 1_000) - 15) * 1_000,
  latitude,
  longitude,
  speed: 31,
  heading: null,
  accuracy: null,
});

interface PlacedLoss {
  readonly began: Date;
  readonly ended: Date;
  readonly reason: string;
  readonly cell: string;
  /** Null = that of the last report of readings. */
  readonly rsrp: number | null;
  readonly latitude: number;
  readonly longitude: number;
}

/** As the job of outages stores them, with the cell that it knows only soon after one. */
async function storeOutages(database: Database, router: string, losses: readonly PlacedLoss[]): Promise<void> {
  const rows = losses.map((loss) => ({ ...loss, hexagon: cellAt(loss.latitude, loss.longitude) }));
  await sql`insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell, rsrp,
      latitude, longitude, hexagon)
    select r.organization_id, r.device_id, r.id, l.began, l.ended, 'lost', l.reason, ${CARRIER}, 'LTE', l.cell,
      coalesce(l.rsrp, (select t.rsrp::real from telemetry_reports t where t.router_id = r.id and t.at > l.began - interval '45 minutes' and t.at <= l.began
        and t.rsrp is not null order by t.at desc limit 1)), l.latitude, l.longitude, l.hexagon
    from routers r, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (began timestamptz, ended timestamptz, reason text, cell text, rsrp real,
      latitude float8, longitude float8, hexagon text)
    where r.id = ${router}::uuid on conflict do nothing`.execute(database.read);
}
