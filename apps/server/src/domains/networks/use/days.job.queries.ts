// Reads tables of other domains: devices.
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/ports/database.ts';
import { mergeUses, useOfDay, type ClosedDay } from './count-use.ts';
import { packDay, unpackCounters, unpackDay } from './packed.ts';

/** A day of the clients of a device. */
interface DeviceDay extends ClosedDay {
  readonly organizationId: string;
  readonly deviceId: string;
}

/** Store days that are over; a part of one that is stored already, of another router of the device, is added to it. */
export async function writeDays(tx: Tx, days: readonly DeviceDay[]): Promise<void> {
  const byKey = Array.from(Map.groupBy(days, keyOf).values(), (parts) => withClients(parts[0]!, parts));
  const used = byKey.filter(({ clients }) => clients.length > 0).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const inserted = new Set(await insertDays(tx, used, sql`do nothing`));
  for (const day of used.filter((each) => !inserted.has(keyOf(each)))) {
    // oxlint-disable-next-line no-await-in-loop -- rare: of a vehicle whose router was replaced on this day
    const { rows } = await sql<{ content: Buffer }>`select content from client_days
      where device_id = ${day.deviceId}::uuid and day = date '1970-01-01' + ${day.day}::integer for update`.execute(tx);
    const stored = rows.map(({ content }) => ({ clients: unpackDay(content) }));
    const all = sql`do update set clients = excluded.clients, sent = excluded.sent, received = excluded.received, content = excluded.content`;
    // oxlint-disable-next-line no-await-in-loop -- the same
    await insertDays(tx, [withClients(day, [...stored, day])], all);
  }
}

const keyOf = ({ deviceId, day }: Pick<DeviceDay, 'deviceId' | 'day'>): string => `${deviceId} ${day}`;

const withClients = (day: DeviceDay, parts: readonly Pick<DeviceDay, 'clients'>[]): DeviceDay => ({
  ...day,
  clients: mergeUses(parts.map(({ clients }) => clients)),
});

/** @returns the keys of those that were written */
async function insertDays(tx: Tx, days: readonly DeviceDay[], onConflict: RawBuilder<unknown>): Promise<string[]> {
  if (days.length === 0) return [];
  const values = days.map(({ organizationId, deviceId, day, clients }) => ({
    organizationId,
    deviceId,
    day,
    clients: clients.length,
    sent: clients.reduce((sum, { sent }) => sum + sent, 0),
    received: clients.reduce((sum, { received }) => sum + received, 0),
    content: packDay(clients).toString('base64'),
  }));
  const { rows } = await sql<{ deviceId: string; day: number }>`
    insert into client_days (organization_id, device_id, day, clients, sent, received, content)
    select n."organizationId", n."deviceId", date '1970-01-01' + n.day, n.clients, n.sent, n.received, decode(n.content, 'base64')
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as n ("organizationId" uuid, "deviceId" uuid, day integer, clients integer,
      sent bigint, received bigint, content text)
    on conflict (device_id, day) ${onConflict}
    returning device_id as "deviceId", (day - date '1970-01-01') as day`.execute(tx);
  return rows.map(keyOf);
}

/** Counters whose values are in memory at once. */
const BATCH = 200;

/** Counters `c` of a router that is not the device's any more, or of an organization that does not keep what clients use. */
const isLeft = sql`not exists (select 1 from devices d join client_settings s on s.organization_id = d.organization_id and s.keep = 'use'
  where d.router_id = c.router_id and d.id = c.device_id and d.archived_at is null)`;

/** Delete the counters of these routers that are not those of their present devices; the day that ran is stored for the device of then. */
export async function closeLeftCounters(tx: Tx, routerIds: readonly string[]): Promise<void> {
  while ((await closeCounters(tx, sql`c.router_id = any (${[...routerIds]}::uuid[])`, isLeft)) !== undefined) continue;
}

/**
 * The same of the next routers, and of those that were not read for two days.
 * @returns the last of these routers; undefined = there are no more
 */
export function closeOldCounters(tx: Tx, now: Date, after: string): Promise<string | undefined> {
  const isOver = sql`(c.read_at < ${now}::timestamptz - interval '2 days' or ${isLeft})`;
  return closeCounters(tx, sql`c.router_id > ${after}::uuid`, isOver);
}

/** @returns the last router of a full batch */
async function closeCounters(tx: Tx, within: RawBuilder<unknown>, isOver: RawBuilder<unknown>): Promise<string | undefined> {
  // One that is switched off meanwhile waits for this transaction, and deletes what it wrote.
  const { rows: keeping } = await sql<{ id: string }>`select s.organization_id as id from client_settings s
    where s.keep = 'use' and exists (select 1 from client_counters c where c.organization_id = s.organization_id and ${within})
    for share`.execute(tx);
  const kept = new Set(keeping.map(({ id }) => id));
  const { rows } = await sql<ClosedCounters>`
    delete from client_counters k where k.router_id = any (array(
      select c.router_id from client_counters c where ${within} and ${isOver} order by c.router_id limit ${BATCH} for update of c))
    returning k.router_id as "routerId", k.organization_id as "organizationId", k.device_id as "deviceId",
      (k.day - date '1970-01-01') as day, k.content`.execute(tx);
  await writeDays(
    tx,
    rows
      .filter(({ organizationId }) => kept.has(organizationId))
      .map(({ content, day, organizationId, deviceId }) => {
        return { organizationId, deviceId, day: day!, clients: useOfDay(unpackCounters(content)) };
      }),
  );
  return rows.length < BATCH
    ? undefined
    : rows
        .map(({ routerId }) => routerId)
        .toSorted()
        .at(-1);
}

interface ClosedCounters {
  readonly routerId: string;
  readonly organizationId: string;
  readonly deviceId: string;
  readonly day: number | null;
  readonly content: Buffer;
}
