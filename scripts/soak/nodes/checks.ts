import type { Sql } from './database.ts';
import type { StormCluster } from './cluster.ts';
import type { RouterRecord } from './fleet.ts';
import type { Work, Written } from './work.ts';

/** What a round left wrong; all zero in a good one. */
export const faultNames = [
  'notes lost',
  'groups lost',
  'moves lost',
  'routers not updated',
  'steps doubled',
  'mails doubled',
  'mails lost',
  'commands doubled',
  'commands lost',
  'imports lost',
  'sessions left open',
  'changes not shown',
  'false history lines',
] as const;
export type FaultName = (typeof faultNames)[number];
export type Faults = Readonly<Record<FaultName, number>>;

/** Faults that may still end by themselves: events that are on their way, mails in the queue, sessions that end with their node. */
export const passing: ReadonlySet<FaultName> = new Set(['mails lost', 'sessions left open', 'changes not shown']);

export interface CheckInput {
  readonly cluster: Pick<StormCluster, 'sql' | 'smtp'>;
  readonly work: Work;
  readonly records: ReadonlyMap<string, RouterRecord>;
  /** Name of the config file of the round, and how many routers should have it. */
  readonly file: string;
  readonly spare: readonly string[];
  readonly spareGroup: string;
  readonly since: Date;
  /** Blinks of each router before the round. */
  readonly blinksBefore: ReadonlyMap<string, number>;
}

export async function findFaults(input: CheckInput): Promise<Faults> {
  const { cluster, work, records, file, since, blinksBefore } = input;
  const steps = [...records.values()].map((record) => record.steps.filter(([, name]) => name === file).length);
  const commands = [...work.commands].map(([serial, count]) => ({
    ...count,
    blinks: records.get(serial)!.blinks - blinksBefore.get(serial)!,
  }));
  const mails = mailsOf(cluster, work);
  return {
    'notes lost': await notesLost(cluster.sql, work),
    'groups lost': await groupsLost(cluster.sql, work),
    'moves lost': await movesLost(input),
    'routers not updated': steps.filter((count) => count === 0).length,
    'steps doubled': steps.filter((count) => count > 1).length,
    'mails doubled': mails.filter(({ ids }) => ids > 1).length,
    'mails lost': mails.filter(({ ids, isAcknowledged }) => ids === 0 && isAcknowledged).length,
    'commands doubled': commands.filter(({ blinks, sent }) => blinks > sent).length,
    'commands lost': commands.filter(({ blinks, done }) => blinks < done).length,
    'imports lost': work.imported.length - (await countOf(cluster.sql, 'from routers where serial = any ($1)', [work.imported])),
    'sessions left open': await countOf(cluster.sql, 'from remote_sessions where ended_at is null', []),
    'changes not shown': changesNotShown(work),
    'false history lines': await falseLines(cluster.sql, records, since),
  };
}

const isKept = ({ acknowledged, others }: Written, stored: string | null) =>
  acknowledged === null || stored === acknowledged || (stored !== null && others.has(stored));

async function notesLost(sql: Sql, { notes }: Work): Promise<number> {
  const { rows } = await sql.query<{ id: string; note: string }>('select id, note from devices where id = any ($1)', [
    [...notes.keys()],
  ]);
  const stored = new Map(rows.map(({ id, note }) => [id, note === '' ? null : note]));
  return [...notes].filter(([id, written]) => !isKept(written, stored.get(id) ?? null)).length;
}

async function groupsLost(sql: Sql, { groups }: Work): Promise<number> {
  return groups.size - (await countOf(sql, 'from groups where key = any ($1)', [[...groups.keys()]]));
}

async function movesLost({ cluster, work: { moved }, spare, spareGroup }: CheckInput): Promise<number> {
  const isIn = await countOf(cluster.sql, 'from devices where id = any ($1) and group_key = $2', [spare, spareGroup]);
  if (isIn > 0 && isIn < spare.length) return spare.length;
  const stored = isIn > 0 ? 'in' : 'out';
  return isKept(moved, stored) ? 0 : spare.length;
}

/** Message ids per address: a mail whose delivery was interrupted is sent again with the same one. */
function mailsOf({ smtp }: CheckInput['cluster'], { invited }: Work): { ids: number; isAcknowledged: boolean }[] {
  const byAddress = Map.groupBy(smtp.taken, ({ to }) => to[0] ?? '');
  return [...invited].map(([address, isAcknowledged]) => ({
    ids: new Set(byAddress.get(address)?.map(({ headers }) => headers['message-id'])).size,
    isAcknowledged,
  }));
}

function changesNotShown({ groups, consoles }: Work): number {
  const missing = ({ groups: shown, refetchedAt }: Work['consoles'][number]) =>
    [...groups].filter(([key, at]) => !shown.has(key) && refetchedAt < at).length;
  return consoles.reduce((sum, each) => sum + missing(each), 0);
}

interface Line {
  readonly serial: string;
  readonly kind: string;
  readonly at: Date;
}

/** A connection is stored within this time, and its end is noticed within it. */
const NOTICED_MS = 3_000;

/** Lines of outages while the router was connected all the time, and more lines of connections than the router had. */
async function falseLines(sql: Sql, records: CheckInput['records'], since: Date): Promise<number> {
  const { rows } = await sql.query<Line>(
    `select r.serial, c.kind, c.at from connectivity c join routers r on r.id = c.router_id
      where c.at >= $1 and c.kind in ('online', 'offline') and r.serial = any ($2)`,
    [since, [...records.keys()]],
  );
  let wrong = 0;
  for (const [serial, lines] of Map.groupBy(rows, (line) => line.serial)) {
    const { connections } = records.get(serial)!;
    const isConnected = ({ at }: Line) =>
      connections.some(([from, to]) => from + NOTICED_MS < at.getTime() && (to === null || at.getTime() < to - NOTICED_MS));
    wrong += lines.filter((line) => line.kind === 'offline' && isConnected(line)).length;
    const begun = connections.filter(([from, to]) => (to ?? Date.now()) >= since.getTime() - NOTICED_MS && from > 0).length;
    wrong += Math.max(0, lines.filter(({ kind }) => kind === 'online').length - begun);
  }
  return wrong;
}

/** What is behind the faults that say little by themselves. */
export async function explainFaults({ cluster: { sql }, work }: CheckInput): Promise<string> {
  const { rows } = await sql.query(
    `select s.node, s.account_email, s.opened_at, d.serial, d.presence, n.name as held_by from remote_sessions s
      join devices d on d.id = s.device_id join routers r on r.id = s.router_id left join nodes n on n.id = r.held_by
      where s.ended_at is null`,
  );
  const { rows: waiting } = await sql.query(
    `select pid, state, wait_event, now() - xact_start as since, pg_blocking_pids(pid) as behind, left(query, 120) as query
      from pg_stat_activity where xact_start < now() - interval '2 seconds'`,
  );
  const missed = work.consoles.map(({ groups, refetchedAt, log }) => ({
    missing: [...work.groups].filter(([key, at]) => !groups.has(key) && refetchedAt < at),
    refetchedAt,
    log: log.slice(-30),
  }));
  return JSON.stringify({ openSessions: rows, waiting, missed }, null, 1);
}

async function countOf(sql: Sql, from: string, values: unknown[]): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(`select count(*)::int as count ${from}`, values);
  return rows[0]!.count;
}
