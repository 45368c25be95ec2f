import { sql } from 'kysely';
import { storePositions } from '../domains/positions/index.ts';
import type { Database } from '../platform/ports/database.ts';
import { demoOrganizations } from './fleet-data.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The days before today on which the buses drive their rounds. */
export const DRIVEN_DAYS: ReadonlySet<number> = new Set([2, 3]);
/** The buses drive for these hours of UTC: 7 to 19 in Chicago. */
const [FIRST_HOUR, HOURS] = [13, 10];
/** Minutes of a round. */
const ROUND = 60;
/** Corners of a round through Chicago, north and back along the lake. */
const corners = [[41.852, -87.632], [41.884, -87.632], [41.921, -87.646], [41.953, -87.668], [41.966, -87.652], [41.93, -87.634], [41.892, -87.616], [41.86, -87.618]] as const; // prettier-ignore
/** Base stations; the signal falls with the distance to the nearer one. */
const stations = [[41.879, -87.629], [41.938, -87.66]] as const; // prettier-ignore
/** Where connections are lost: an underpass. */
const underpass = [41.9645, -87.6537] as const;
/** The vehicle with the damaged antenna, and what it lacks, dB. */
const DAMAGED = 4;
const DAMAGE = 17;

/** Where a bus is, in minutes after the beginning of a round. */
export function placeAt(minute: number): readonly [latitude: number, longitude: number] {
  const way = ((minute % ROUND) / ROUND) * corners.length;
  const [from, to] = [corners[Math.floor(way)]!, corners[(Math.floor(way) + 1) % corners.length]!];
  const part = way - Math.floor(way);
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
}

const kilometres = (a: readonly [number, number], b: readonly [number, number]) =>
  Math.hypot((a[0] - b[0]) * 111.2, (a[1] - b[1]) * 82.8);

/** RSRP at a place in dBm; a few dB by minute, so that medians have something to choose from. */
function rsrpAt(place: readonly [number, number], minute: number): number {
  const distance = Math.min(...stations.map((station) => kilometres(place, station)));
  const shade = kilometres(place, underpass) < 0.7 ? 14 : 0;
  return Math.round(-78 - 7 * distance - shade - ((minute * 7) % 5));
}

/**
 * Two days of buses that drive a round with a signal that depends on the place (POS-06): one of them has a damaged antenna, and in an underpass
 * connections are lost.
 */
export async function seedCoverage(database: Database, now: Date): Promise<void> {
  const serials = demoOrganizations[0]!.vehicles.map(({ serial }) => serial);
  const found = await database.read.selectFrom('routers').select(['id', 'serial']).where('serial', 'in', serials).execute();
  const routers = new Map(found.map(({ serial, id }) => [serial, id]));
  const today = Math.floor(now.getTime() / DAY_MS);
  const begins = [...DRIVEN_DAYS].map((back) => (today - back) * DAY_MS + FIRST_HOUR * 3_600_000);
  const first = new Date(Math.min(...begins) - DAY_MS);
  const text = (time: Date) => time.toISOString().slice(0, 10);
  await sql`select ensure_position_partitions(${text(first)}::date, ${text(now)}::date), ensure_partitions(${text(first)}::date, ${text(now)}::date)`.execute(
    database.read,
  );
  await sql`update router_ownership set owned_from = least(owned_from, ${first}::timestamptz)
    where router_id = any (${[...routers.values()]}::uuid[])`.execute(database.read);
  for (const [index, { serial }] of demoOrganizations[0]!.vehicles.entries()) {
    const id = routers.get(serial);
    if (id === undefined) continue;
    for (const begin of begins) await seedDay(database, id, index, begin);
  }
}

/**
 * Lost connections in ms after the beginning of a day, up to three and a half minutes each. A router that is still offline loses no other one: a
 * timeline never has two of a kind in a row.
 * @param minutes in which a router is in the underpass, ascending
 */
export function lossesOf(minutes: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const losses: { from: number; to: number }[] = [];
  for (const minute of minutes) {
    const from = minute * MINUTE_MS + 20_000;
    if (from > (losses.at(-1)?.to ?? 0)) losses.push({ from, to: from + 30_000 + (minute % 4) * MINUTE_MS });
  }
  return losses;
}

async function seedDay(database: Database, router: string, index: number, begin: number): Promise<void> {
  const minutes = Array.from({ length: HOURS * 60 }, (_, minute) => minute);
  const places = minutes.map((minute) => placeAt(minute + index * 5));
  const times = minutes.map((minute) => new Date(begin + minute * MINUTE_MS).toISOString());
  const damage = index === DAMAGED ? DAMAGE : 0;
  const rsrp = minutes.map((minute) => rsrpAt(places[minute]!, minute) - damage);
  const rsrq = rsrp.map((value) => Math.round(-6 - (-70 - value) / 5));
  const driven = minutes.map((minute) => {
    const [latitude, longitude] = places[minute]!;
    return { routerId: router, at: begin + minute * MINUTE_MS, latitude, longitude, speed: 24, heading: null, accuracy: null };
  });
  await database.write((tx) => storePositions(tx, driven, new Date(begin)));
  await sql`insert into telemetry_reports (router_id, at, rsrp, rsrq, rssi)
    select ${router}::uuid, t.at, t.rsrp, t.rsrq, t.rsrp + 25 from unnest(${times}::timestamptz[], ${rsrp}::float8[], ${rsrq}::float8[])
      t (at, rsrp, rsrq)`.execute(database.read);
  const lost = minutes.filter(
    (minute) => Math.floor(minute / ROUND) % 3 === index % 3 && kilometres(places[minute]!, underpass) < 0.35,
  );
  const changes = lossesOf(lost).flatMap(({ from, to }) => [
    { at: begin + from, kind: 'offline', reason: 'no-answer' },
    { at: begin + to, kind: 'online', reason: 'connected' },
  ]);
  if (changes.length === 0) return;
  await sql`insert into connectivity (router_id, at, kind, reason)
    select ${router}::uuid, t.* from unnest(${changes.map(({ at }) => new Date(at).toISOString())}::timestamptz[],
      ${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ reason }) => reason)}::text[]) t`.execute(database.read);
}
