import { sql } from 'kysely';
import type { Database } from '../platform/ports/database.ts';
import { DRIVEN_DAYS } from './coverage.ts';
import { type DemoVehicle } from './demo-vehicles.ts';
import { demoOrganizations, demoOutage } from './fleet-data.ts';
import { generator } from './generator.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How far the past of the demo goes back. */
export const PAST_DAYS = 30;
/** Days before today on which the carrier of the demo was away, at this hour of UTC, and for how long. */
const OUTAGES = new Map([
  [5, { hour: 16, minutes: 42 }],
  [17, { hour: 21, minutes: 18 }],
]);
/** From so many days before today on, the vehicle with the loose connector restarts by itself. */
const LOOSE_DAYS = 6;

/** A lost connection. */
interface Loss {
  readonly router: string;
  readonly organization: string;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly reason: string;
  /** It came back with a start of its own. */
  readonly restarted: boolean;
}

interface DemoRouter {
  readonly router: string;
  readonly organization: string;
  readonly mainAccount: string;
  readonly vehicle: DemoVehicle;
}

/**
 * Thirty days of a fleet that was in use: connections that were lost, the hours in which a carrier was away, a vehicle whose connector came loose,
 * and how many were online meanwhile. The charts of the first minute have something to show, and what is usual is known.
 */
export async function seedPast(database: Database, now: Date): Promise<void> {
  const routers = await readRouters(database);
  const first = new Date(now.getTime() - (PAST_DAYS + 1) * DAY_MS);
  const day = (time: Date) => time.toISOString().slice(0, 10);
  await sql`select ensure_partitions(${day(first)}::date, ${day(now)}::date)`.execute(database.read);
  for (const { router, vehicle } of routers)
    await sql`insert into router_facts (router_id, at, fact, value)
      values (${router}::uuid, ${first}::timestamptz, 'carrier', ${vehicle.carrier}), (${router}::uuid, ${first}::timestamptz, 'technology', 'LTE')`.execute(
      database.read,
    );
  const losses = lossesOf(routers, now.getTime());
  await insertConnectivity(database, losses);
  await insertShares(database, routers, losses, now.getTime());
}

async function readRouters(database: Database): Promise<DemoRouter[]> {
  const { rows } = await sql<{
    serial: string;
    router: string;
    organization: string;
    mainAccount: string;
  }>`select r.serial, r.id as router, r.organization_id as organization, r.main_account_id as "mainAccount"
    from routers r where r.device_id is not null order by r.serial`.execute(database.read);
  const vehicles = new Map(demoOrganizations.flatMap((each) => each.vehicles).map((vehicle) => [vehicle.serial, vehicle]));
  return rows.flatMap(({ serial, ...row }) => {
    const vehicle = vehicles.get(serial);
    return vehicle === undefined ? [] : [{ ...row, vehicle }];
  });
}

/** Every loss, those of a router one after the other. */
function lossesOf(routers: readonly DemoRouter[], now: number): Loss[] {
  const today = Math.floor(now / DAY_MS);
  const until = now - HOUR_MS;
  return routers.flatMap((router, index) => {
    const random = generator(4_000 + index);
    const days = Array.from({ length: PAST_DAYS }, (_, back) => PAST_DAYS - back);
    const losses = days.flatMap((back) => lossesOfDay(router, back, (today - back) * DAY_MS, random));
    const inOrder = losses.filter((loss) => loss.until < until).toSorted((a, b) => a.from - b.from);
    // A router that is still offline loses no other connection.
    return inOrder.filter(
      (loss, place) => place === 0 || loss.from > Math.max(...inOrder.slice(0, place).map((one) => one.until)),
    );
  });
}

function lossesOfDay({ router, organization, vehicle }: DemoRouter, back: number, begins: number, random: () => number): Loss[] {
  if (DRIVEN_DAYS.has(back)) return [];
  const of = (from: number, ms: number, reason: string, restarted: boolean): Loss => ({
    router,
    organization,
    from: Math.floor(begins + from),
    until: Math.floor(begins + from + ms),
    reason,
    restarted,
  });
  const losses = Array.from({ length: Math.floor(random() * 2.4) }, () =>
    of((12 + random() * 12) * HOUR_MS, (0.5 + random() * 4) * MINUTE_MS, 'no-answer', false),
  );
  const outage = OUTAGES.get(back);
  if (outage !== undefined && vehicle.carrier === demoOutage.carrier)
    losses.push(
      of(outage.hour * HOUR_MS + random() * 40_000, outage.minutes * MINUTE_MS + random() * 60_000, 'no-answer', false),
    );
  if (vehicle.flaky !== undefined && back <= LOOSE_DAYS)
    for (let hour = 13; hour < 23; hour++)
      for (let n = 0; n < 5; n++) losses.push(of(hour * HOUR_MS + n * 11 * MINUTE_MS + random() * 120_000, vehicle.flaky.offSeconds * 1_000, 'connection-lost', true)); // prettier-ignore
  return losses;
}

async function insertConnectivity(database: Database, losses: readonly Loss[]): Promise<void> {
  const events = losses.flatMap(({ router, from, until, reason, restarted }) => [
    { router, at: from, kind: 'offline', reason },
    { router, at: until, kind: 'online', reason: 'connected' },
    ...(restarted ? [{ router, at: until + 1_000, kind: 'boot', reason: 'LocalReboot' }] : []),
  ]);
  await sql`insert into connectivity (router_id, at, kind, reason) select e.router, to_timestamp(e.at / 1000), e.kind, e.reason
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (router uuid, at float8, kind text, reason text)`.execute(
    database.read,
  );
}

/** Days for which every moment is kept, and the time between two of them (online-shares.ts). */
const SHARE_DAYS = 7;
const SHARE_MS = 5 * MINUTE_MS;

/** How many were online: every five minutes of the last days, and the sums of each hour before. */
async function insertShares(
  database: Database,
  routers: readonly DemoRouter[],
  losses: readonly Loss[],
  now: number,
): Promise<void> {
  const last = Math.floor(now / SHARE_MS) * SHARE_MS;
  const moments = Array.from({ length: (PAST_DAYS * DAY_MS) / SHARE_MS }, (_, back) => last - (back + 1) * SHARE_MS);
  const shares = [...Map.groupBy(routers, ({ organization }) => organization)].flatMap(([organization, own]) => {
    const lost = losses.filter((loss) => loss.organization === organization);
    const offline = new Map<number, number>();
    for (const { from, until } of lost)
      for (let at = Math.ceil(from / SHARE_MS) * SHARE_MS; at < until; at += SHARE_MS)
        offline.set(at, (offline.get(at) ?? 0) + 1);
    return moments.map((at) => ({
      organization_id: organization,
      main_account_id: own[0]!.mainAccount,
      at: new Date(at).toISOString(),
      online: own.length - (offline.get(at) ?? 0),
      devices: own.length,
    }));
  });
  const from = new Date(last - SHARE_DAYS * DAY_MS);
  await sql`with s as materialized (select * from jsonb_populate_recordset(null::online_shares, ${JSON.stringify(shares)}::jsonb)), kept as (
      insert into online_shares select * from s where s.at > ${from}::timestamptz on conflict do nothing
    )
    insert into online_hours (owner_id, main_account_id, hour, online, devices)
    select o.owner, s.main_account_id, date_trunc('hour', s.at, 'UTC'), sum(s.online), sum(s.devices)
    from s cross join lateral (values (s.organization_id), (s.main_account_id)) o (owner) group by 1, 2, 3 on conflict do nothing`.execute(
    database.read,
  );
}
