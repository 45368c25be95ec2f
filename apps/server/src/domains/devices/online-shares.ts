import { offlineReasons, type CountedPresence, type devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Scope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import type { Database } from '../../platform/ports/database.ts';

/** Devices that are off without a fault, which a share is not of (SAY-04). */
const APART: readonly CountedPresence[] = ['never', ...offlineReasons];

/** Interval of the moments. */
export const SHARE_MS = 5 * 60_000;
/** The chart shows seven days. */
const KEPT_MS = 8 * 24 * 3_600_000;
/** What is usual is that of eight weeks (usual.ts). */
const HOURS_KEPT_MS = 57 * 24 * 3_600_000;

/**
 * A job: write how many devices of each organization that have connected are online at the current moment, a multiple of five minutes (ATT-02). Called
 * more often than that, by any number of processes: each organization gets one row per moment. While some of its devices are unknown, after a
 * start of the server, it waits for the next call; a moment before `since`, when this process started, is not ours to tell.
 */
export async function recordOnlineShares({ write }: Pick<Database, 'write'>, now: Date, since: Date): Promise<void> {
  const at = new Date(Math.floor(now.getTime() / SHARE_MS) * SHARE_MS);
  if (at < since) return;
  await write(async (tx) => {
    await sql`with added as (insert into online_shares (organization_id, main_account_id, at, online, devices)
      select c.organization_id, c.main_account_id, ${at}::timestamptz,
        coalesce(sum(c.devices) filter (where c.presence = 'online'), 0), sum(c.devices) filter (where c.presence <> all (${[...APART]}::text[]))
      from device_counts c
      where not exists (select 1 from online_shares s where s.organization_id = c.organization_id and s.at = ${at}::timestamptz)
      group by 1, 2
      having sum(c.devices) filter (where c.presence <> all (${[...APART]}::text[])) > 0 and coalesce(sum(c.devices) filter (where c.presence = 'unknown'), 0) = 0
      on conflict do nothing returning *)
      insert into online_hours as h (owner_id, main_account_id, hour, online, devices)
      select o.owner, a.main_account_id, date_trunc('hour', a.at, 'UTC'), sum(a.online), sum(a.devices)
      from added a cross join lateral (values (a.organization_id), (a.main_account_id)) o (owner) group by 1, 2, 3 order by 1
      on conflict (owner_id, hour) do update set online = h.online + excluded.online, devices = h.devices + excluded.devices`.execute(
      tx,
    );
    await sql`delete from online_shares where at < ${new Date(now.getTime() - KEPT_MS)}::timestamptz`.execute(tx);
    await sql`delete from online_hours where hour < ${new Date(now.getTime() - HOURS_KEPT_MS)}::timestamptz`.execute(tx);
  });
}

type Share = z.input<typeof devices.onlineShare.response>['result'][number];

/** The moments of the last hours, oldest first; over more than two days the means of whole hours. */
export async function listOnlineShares(reader: Reader, scope: Scope, hours: number, now: Date): Promise<Share[]> {
  const mine =
    scope.kind === 'organization'
      ? sql`s.organization_id = ${scope.organizationId}::uuid`
      : sql`s.main_account_id = ${scope.mainAccountId}::uuid`;
  const from = new Date(now.getTime() - hours * 3_600_000);
  const width = hours > 48 ? '1 hour' : '5 minutes';
  // The devices of all organizations at one moment first; then the mean of the moments.
  return reader.rows<Share>(
    sql`select floor(extract(epoch from date_bin(${width}::interval, m.at, 'epoch')))::float8 as at,
        round(avg(m.online))::int as online, round(avg(m.devices))::int as devices
      from (
        select s.at, sum(s.online) as online, sum(s.devices) as devices from online_shares s
        where ${mine} and s.at >= ${from}::timestamptz and s.at <= ${now}::timestamptz group by s.at
      ) m group by 1 order by 1`,
  );
}
