import { sql, type RawBuilder } from 'kysely';
import type { Row, Tx } from '../../platform/ports/index.ts';
import { divideAtGaps } from '../../platform/segments/segments.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import type { CounterReading } from './counters.ts';
import type { Reading } from './increase.ts';
import { mergeReadings, splitAll, type UsePart } from './split.ts';
import { modemKey, modemsAs, readAround, storeInSegments, type ModemReading, type NewReadings } from './usage-segments.ts';
import { carriersOf, factsOf, type RouterFacts } from './usage.job.queries.ts';

/** Counters of a modem of a router. */
export interface RouterReading extends CounterReading {
  readonly routerId: string;
}

/** The newest reading of a modem. */
interface Head {
  readonly newest: Reading;
  /** Time of its first reading ever, epoch milliseconds. */
  readonly firstAt: number;
}

type StoredRow = Row<'usage_heads', 'router_id' | 'modem' | 'at' | 'iccid' | 'uptime' | 'sent' | 'received'>;

/** A modem of a router, with what is stored of it and what is added. */
interface Chain {
  readonly routerId: string;
  readonly modem: number;
  readonly head: Head | undefined;
  readonly added: readonly Reading[];
}

/** Readings that are added, and those that are stored around them, in order of time. */
interface Piece {
  readonly added: readonly Reading[];
  readonly stored: readonly Reading[];
}

const DAY_MS = 86_400_000;
/** Late readings this far apart are added apart: between them may be a week of others. */
const MOST_APART_MS = 3_600_000;
const nothingKnown: RouterFacts = { iccid: '', owners: [] };

/**
 * Add readings of any routers to the ledger (USE-01), in any order; each may be added again. What two stored readings were worth is replaced by
 * what they are worth with a late one between them, so the sums are those of all readings in the order of their time.
 */
export async function storeReadings(tx: Tx, rows: readonly RouterReading[]): Promise<void> {
  const byModem = Map.groupBy(rows, modemKey);
  // In one order everywhere: two processes that write the same routers must not wait for each other in a circle.
  const groups = [...byModem.keys()].toSorted().map((key) => byModem.get(key)!);
  const locked = await lockHeads(tx, groups);
  const facts = await factsOf(tx, [...new Set(rows.map(({ routerId }) => routerId))]);
  const chains = groups.map((group): Chain => {
    const { routerId, modem } = group[0]!;
    const { iccid } = facts.get(routerId) ?? nothingKnown;
    const added = group.map((reading) => ({ ...reading, iccid: reading.iccid ?? iccid }));
    return { routerId, modem, head: locked.get(modemKey(group[0]!)), added };
  });
  const late = await readLate(tx, chains);
  const kept: NewReadings[] = [];
  const heads: HeadRow[] = [];
  const parts: UsePart[] = [];
  for (const chain of chains) {
    const { routerId, modem, head } = chain;
    const pieces = late.get(modemKey(chain)) ?? [{ added: chain.added, stored: head === undefined ? [] : [head.newest] }];
    const { owners } = facts.get(routerId) ?? nothingKnown;
    const merged = pieces.map(({ added, stored }) => mergeReadings(stored, acceptable(head, added, stored)));
    parts.push(...merged.flatMap((readings) => splitAll(readings, owners)));
    parts.push(...pieces.flatMap(({ stored }) => splitAll(stored, owners)).map(negative));
    const known = new Set(pieces.flatMap(({ stored }) => stored));
    const readings = merged.flat().flatMap((reading) => (known.has(reading) ? [] : { ...reading, routerId }));
    if (readings.length > 0) kept.push({ routerId, modem, readings, lastAt: head?.newest.at ?? -Infinity });
    const moved = movedHead(head, merged.flat());
    if (moved !== undefined) heads.push({ ...moved.newest, firstAt: moved.firstAt, routerId });
  }
  await storeInSegments(tx, kept);
  await updateHeads(tx, heads);
  await addParts(tx, sumUp(parts));
}

type HeadRow = ModemReading & { readonly firstAt: number };

/** A reading before all that are stored counts only where it precedes the very first: otherwise the one before it is no longer kept. */
function acceptable(head: Head | undefined, added: readonly Reading[], stored: readonly Reading[]): readonly Reading[] {
  const first = stored[0];
  return first === undefined || first.at <= head!.firstAt ? added : added.filter(({ at }) => at >= first.at);
}

/** The new head; undefined = the one before stays. */
function movedHead(head: Head | undefined, merged: readonly Reading[]): Head | undefined {
  const [first, last] = [merged[0], merged.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (head === undefined) return { newest: last, firstAt: first.at };
  const newest = last.at > head.newest.at ? last : head.newest;
  const firstAt = Math.min(first.at, head.firstAt);
  return newest === head.newest && firstAt === head.firstAt ? undefined : { newest, firstAt };
}

function negative(part: UsePart): UsePart {
  return { ...part, sent: -part.sent, received: -part.received };
}

const columns = sql`router_id, modem, at, iccid, uptime, sent, received`;
const heads = sql`h.router_id, h.modem, h.at, h.iccid, h.uptime, h.sent, h.received`;

/** The newest reading of each modem, locked until the end of the transaction; a modem without one gets a row that is older than any. */
async function lockHeads(tx: Tx, groups: readonly (readonly RouterReading[])[]): Promise<Map<string, Head>> {
  const chosen = modemsAs(groups.map(([first]) => first!));
  const lock = () =>
    sql<
      Omit<StoredRow, 'at'> & { at: Date | number; first_at: Date | number }
    >`${plannedOnce}select ${heads}, h.first_at from ${chosen} join usage_heads h using (router_id, modem) order by h.router_id, h.modem for update of h`.execute(
      tx,
    );
  let { rows } = await lock();
  if (rows.length < groups.length) {
    await sql`insert into usage_heads (${columns}, first_at) select k.router_id, k.modem, '-infinity', '', null, 0, 0, '-infinity' from ${chosen}
      order by k.router_id, k.modem on conflict do nothing`.execute(tx);
    ({ rows } = await lock());
  }
  // `-infinity` is a number.
  return new Map(
    rows.flatMap(({ at, first_at: firstAt, ...row }): [string, Head][] =>
      typeof at === 'number' || typeof firstAt === 'number'
        ? []
        : [
            [
              modemKey({ routerId: row.router_id, modem: row.modem }),
              { newest: toReading({ ...row, at }), firstAt: firstAt.getTime() },
            ],
          ],
    ),
  );
}

function toReading({ modem, at, iccid, uptime, sent, received }: StoredRow): Reading {
  return {
    modem,
    at: at.getTime(),
    iccid,
    uptime,
    sent,
    received,
  };
}

/** For modems with a late reading: all added ones, with the stored ones from the last before to the first after those that are close together. */
async function readLate(tx: Tx, chains: readonly Chain[]): Promise<Map<string, readonly Piece[]>> {
  const late = chains.filter(({ head, added }) => head !== undefined && added.some(({ at }) => at <= head.newest.at));
  const parts = late.flatMap((chain) =>
    divideAtGaps(
      chain.added.toSorted((a, b) => a.at - b.at),
      MOST_APART_MS,
    ).map((added) => ({ chain, added, first: added[0]!.at, last: added.at(-1)!.at })),
  );
  const found = await readAround(
    tx,
    parts.map(({ chain: { routerId, modem }, first, last }) => ({ routerId, modem, first, last })),
  );
  const pieces = new Map(late.map((chain): [string, Piece[]] => [modemKey(chain), []]));
  for (const [index, { chain, added, last }] of parts.entries()) {
    const readings = found[index]!;
    const newest = chain.head!.newest;
    // The newest may be older than what is kept of the others.
    const isLacking = (readings.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < Math.min(last, newest.at);
    addPiece(pieces.get(modemKey(chain))!, { added, stored: isLacking ? [...readings, newest] : readings });
  }
  return pieces;
}

/** Add the next piece of a modem. One that no stored reading parts from the one before belongs to it: each would count what lies between. */
function addPiece(pieces: Piece[], { added, stored }: Piece): void {
  const before = pieces.at(-1);
  const isParted = before?.stored.some(({ at }) => at > before.added.at(-1)!.at && at < added[0]!.at) ?? true;
  if (before === undefined || isParted) return void pieces.push({ added, stored });
  const end = before.stored.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const joined = [...before.stored, ...stored.filter(({ at }) => at > end)];
  pieces[pieces.length - 1] = { added: [...before.added, ...added], stored: joined };
}

async function updateHeads(tx: Tx, rows: readonly HeadRow[]): Promise<void> {
  if (rows.length === 0) return;
  const firsts = rows.map(({ firstAt }) => new Date(firstAt).toISOString());
  await sql`${plannedOnce}update usage_heads h
    set at = u.at, iccid = u.iccid, uptime = u.uptime, sent = u.sent, received = u.received, first_at = u.first_at
    from unnest(${columnsOf(rows)}, ${firsts}::timestamptz[]) u (${columns}, first_at)
    where h.router_id = u.router_id and h.modem = u.modem`.execute(tx);
}

/** An array for each of `columns`. */
function columnsOf(rows: readonly ModemReading[]) {
  const of = <Key extends keyof ModemReading>(key: Key) => rows.map((row) => row[key]);
  const times = rows.map(({ at }) => new Date(at).toISOString());
  return sql`${of('routerId')}::uuid[], ${of('modem')}::integer[], ${times}::timestamptz[], ${of('iccid')}::text[],
    ${of('uptime')}::bigint[], ${of('sent')}::bigint[], ${of('received')}::bigint[]`;
}

/** One part for each row of the ledger, in the order of its key, without those that add nothing. */
function sumUp(parts: readonly UsePart[]): UsePart[] {
  const sums = new Map<string, UsePart>();
  for (const part of parts) {
    const key = `${part.organizationId} ${String(part.day).padStart(6, '0')} ${part.iccid} ${part.deviceId}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? part : { ...part, sent: sum.sent + part.sent, received: sum.received + part.received });
  }
  return [...sums.keys()]
    .toSorted()
    .map((key) => sums.get(key)!)
    .filter(({ sent, received }) => sent !== 0 || received !== 0);
}

async function addParts(tx: Tx, parts: readonly UsePart[]): Promise<void> {
  if (parts.length === 0) return;
  const of = <Key extends keyof UsePart>(key: Key) => parts.map((part) => part[key]);
  const days = parts.map(({ day }) => new Date(day * DAY_MS).toISOString().slice(0, 10));
  const added = sql`unnest(${of('organizationId')}::uuid[], ${days}::date[], ${of('iccid')}::text[], ${of('deviceId')}::uuid[],
    ${of('sent')}::bigint[], ${of('received')}::bigint[]) u (organization_id, day, iccid, device_id, sent, received)`;
  // Until this transaction ends, no cycle of a SIM is computed again.
  await sql`select pg_advisory_xact_lock_shared(hashtext('usage_cycles'))`.execute(tx);
  await addSims(tx, added);
  // One statement, with the arrays once: at a fleet's own pace, a round trip weighs more than the rows.
  await sql`${plannedOnce}with u as materialized (select * from ${added}),
    days as (insert into usage_days (organization_id, day, iccid, device_id, sent, received) select u.* from u
      on conflict (organization_id, day, iccid, device_id) do update
      set sent = usage_days.sent + excluded.sent, received = usage_days.received + excluded.received),
    cycles as (insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received)
      select u.organization_id, usage_cycle_of(u.day, s.cycle_day) as cycle_from, u.iccid, u.device_id, sum(u.sent), sum(u.received)
      from u join usage_sims s on s.organization_id = u.organization_id and s.iccid = u.iccid
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (organization_id, cycle_from, iccid, device_id) do update
      set sent = usage_cycles.sent + excluded.sent, received = usage_cycles.received + excluded.received)
    insert into usage_totals (organization_id, day, sent, received)
    select u.organization_id, u.day, sum(u.sent), sum(u.received) from u group by 1, 2 order by 1, 2
    on conflict (organization_id, day) do update
    set sent = usage_totals.sent + excluded.sent, received = usage_totals.received + excluded.received`.execute(tx);
}

/** Add the SIMs among the parts `u` that are new. */
async function addSims(tx: Tx, added: RawBuilder<unknown>): Promise<void> {
  const { rows: fresh } = await sql<{ organization_id: string; iccid: string; device_id: string }>`${plannedOnce}
    select distinct on (u.organization_id, u.iccid) u.organization_id, u.iccid, u.device_id from ${added}
    where not exists (select from usage_sims s where s.organization_id = u.organization_id and s.iccid = u.iccid)
    order by u.organization_id, u.iccid`.execute(tx);
  if (fresh.length === 0) return;
  const carriers = await carriersOf(tx, fresh);
  await sql`insert into usage_sims (organization_id, iccid, carrier)
    select * from unnest(${fresh.map((row) => row.organization_id)}::uuid[], ${fresh.map(({ iccid }) => iccid)}::text[], ${carriers}::text[])
    on conflict do nothing`.execute(tx);
  // They may have a plan.
  await sql`insert into usage_matching (organization_id)
    select distinct o from unnest(${fresh.map((row) => row.organization_id)}::uuid[]) o
    where exists (select from usage_plans p where p.organization_id = o) on conflict do nothing`.execute(tx);
}
