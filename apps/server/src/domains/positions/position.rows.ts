import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import type { Fix } from './fix.ts';

/** A position of a router to be stored. */
export interface PositionRow extends Fix {
  readonly routerId: string;
}

/** A position this far from the one before is a jump, unless a vehicle could have driven it in the time. */
const JUMP_KM = 500;
const DRIVEN_KMH = 200;
const EARTH_DIAMETER_KM = 12_742;

/** The great-circle distance between the position of a row and the one before, in kilometres. */
const distance = sql`${sql.lit(EARTH_DIAMETER_KM)} * asin(least(1, sqrt(
  sin(radians(c.latitude - c.from_latitude) / 2) ^ 2
  + cos(radians(c.latitude)) * cos(radians(c.from_latitude)) * sin(radians(c.longitude - c.from_longitude) / 2) ^ 2)))`;

const columns = sql`router_id, at, latitude, longitude, accuracy, speed, heading, is_jump`;

/**
 * Store positions of any routers and the newest of each, in one statement. A second position of one second is not stored, so rows may be
 * written again.
 */
export async function storePositions(tx: Tx, rows: readonly PositionRow[], now: Date): Promise<void> {
  const of = <Key extends keyof PositionRow>(key: Key) => rows.map((row) => row[key]);
  await sql`
    with reported as (
      select distinct on (u.router_id, u.at) u.* from unnest(${of('routerId')}::uuid[], ${of('at').map((at) => new Date(at))}::timestamptz[],
        ${of('latitude')}::float8[], ${of('longitude')}::float8[], ${of('accuracy')}::real[], ${of('speed')}::real[], ${of('heading')}::real[]
      ) u (router_id, at, latitude, longitude, accuracy, speed, heading)
      order by u.router_id, u.at
    ), compared as (
      select r.*, coalesce(lag(r.at) over w, l.at) as from_at,
        coalesce(lag(r.latitude) over w, l.latitude) as from_latitude, coalesce(lag(r.longitude) over w, l.longitude) as from_longitude
      from reported r left join router_positions l on l.router_id = r.router_id and l.at < r.at
      window w as (partition by r.router_id order by r.at)
    ), marked as (
      select c.router_id, c.at, c.latitude, c.longitude, c.accuracy, c.speed, c.heading, c.from_at is not null
        and ${distance} >= greatest(${sql.lit(JUMP_KM)}, extract(epoch from c.at - c.from_at) / 3600 * ${sql.lit(DRIVEN_KMH)}) as is_jump
      from compared c
    ), stored as (
      insert into positions (${columns}) select ${columns} from marked on conflict (router_id, at) do nothing
    )
    insert into router_positions as p (${columns}, stored_at)
    select distinct on (router_id) ${columns}, ${now}::timestamptz from marked order by router_id, at desc
    on conflict (router_id) do update set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude,
      accuracy = excluded.accuracy, speed = excluded.speed, heading = excluded.heading, is_jump = excluded.is_jump, stored_at = excluded.stored_at
    where p.at < excluded.at`.execute(tx);
}
