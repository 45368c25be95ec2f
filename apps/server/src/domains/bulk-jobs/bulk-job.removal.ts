import { bulkJobs } from '@highline/contract';
import { DomainError, sanitizeLine, type Actor, type OrganizationScope, type MainScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { scopeOf, type ItemResult, type OwnJob, type RowItem } from './bulk-job.ts';
import { isListOfMain } from './bulk-job.rows.queries.ts';
import { advance, lockJob, nextRow, readJob, writeResults } from './bulk-jobs.store.ts';

/** What the deletion of a row needs. */
export interface Removal {
  /** Its first transaction also has the result of the row. */
  readonly database: Database;
  /** The organization of the row, or its main account. */
  readonly scope: OrganizationScope | MainScope;
  readonly actor: Actor;
  readonly id: string;
}

/** For each list the same deletion as the call for one row; 0 = there was no such row. */
export type Removals = Readonly<Record<bulkJobs.RowList, (removal: Removal) => Promise<unknown>>>;

export interface RemovalDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly removals: Removals;
}

/** Consoles fetch the progress of a job again this often. */
const ANNOUNCEMENTS = 50;

/** Another process has the job, or the job has ended. */
class TurnLost extends Error {}

/**
 * Delete the next row of a job, with its result in the same transaction.
 * @returns 'over' when the job has no row left, 'lost' when another process works on it
 * @throws what is no reason of this row, such as a lost connection to the database: nothing has happened
 */
export async function removeNext(deps: RemovalDeps, job: OwnJob): Promise<'removed' | 'lost' | 'over'> {
  const { database, removals, log } = deps;
  const current = await readJob(database.read, scopeOf(job), job.id);
  if (current === undefined || current.ended_at !== null || current.action.kind !== 'remove') return 'over';
  const item = await nextRow(database.read, current);
  if (item === undefined) return 'over';
  const turn = createTurn(deps, job, item);
  const { list } = current.action;
  try {
    const removal = { database: turn.database, scope: ownerOf(job, item, list), actor: job.actor, id: item.subject };
    await removals[list](removal);
    if (!turn.isRecorded()) await turn.record({ n: item.n, state: 'skipped', reason: 'gone' });
    return 'removed';
  } catch (error) {
    if (error instanceof TurnLost) return 'lost';
    if (turn.isRecorded()) {
      // What follows a deletion is continued by the jobs of its domain.
      log.warn({ err: error, job: job.id }, 'A row was deleted, but not everything that follows from it is done yet.');
      return 'removed';
    }
    if (!(error instanceof DomainError)) throw error;
    return recordFailure(turn, { n: item.n, ...failureOf(error) });
  }
}

async function recordFailure(turn: Turn, result: ItemResult): Promise<'removed' | 'lost'> {
  try {
    await turn.record(result);
    return 'removed';
  } catch (error) {
    if (error instanceof TurnLost) return 'lost';
    throw error;
  }
}

function ownerOf({ main_account_id: mainAccountId }: OwnJob, item: RowItem, list: bulkJobs.RowList): Removal['scope'] {
  if (list === 'organizations') return { kind: 'organization', mainAccountId, organizationId: item.subject };
  const isOfMain = isListOfMain(list) || item.organization_id === mainAccountId;
  return isOfMain
    ? { kind: 'main', mainAccountId }
    : { kind: 'organization', mainAccountId, organizationId: item.organization_id };
}

type Turn = ReturnType<typeof createTurn>;

/** The turn of one row: its first transaction holds the lock of the job and has the result. */
function createTurn({ database, clock }: RemovalDeps, job: OwnJob, item: RowItem) {
  let isRecorded = false;
  const within = async <T>(work: (tx: Tx) => Promise<T>, resultOf: (done: T) => ItemResult): Promise<T> => {
    const value = await database.write(async (tx) => {
      const locked = await lockTurn(tx, job, item);
      const done = await work(tx);
      await writeResults(tx, locked, [resultOf(done)], 'waiting');
      await advance(tx, locked, item.n, clock.now());
      const every = Math.ceil(locked.total / ANNOUNCEMENTS);
      if (item.n % every === 0 || item.n === locked.total) await announce(tx, scopeOf(locked), 'jobs', [locked.id]);
      return done;
    });
    isRecorded = true;
    return value;
  };
  const { n } = item;
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (isRecorded) return database.write(work);
    return within(work, (done) => (done === 0 ? { n, state: 'skipped', reason: 'gone' } : { n, state: 'done' }));
  };
  return {
    database: { read: database.read, pool: database.pool, lists: database.lists, write } satisfies Database,
    isRecorded: () => isRecorded,
    record: (result: ItemResult) =>
      within(
        async () => {},
        () => result,
      ),
  };
}

async function lockTurn(tx: Tx, job: OwnJob, item: RowItem): Promise<OwnJob> {
  const locked = await lockJob(tx, scopeOf(job), job.id);
  if (locked === undefined || locked.ended_at !== null || locked.next_n > item.n) throw new TurnLost();
  return locked;
}

/** The row does not exist any more, or ended by itself. */
const goneKeys: ReadonlySet<string> = new Set([
  'not_found',
  'account.not_found',
  'group.not_found',
  'config.not_found',
  'firmware.not_found',
  'key.not_found',
  'key.ended',
]);

function failureOf(error: DomainError): Omit<ItemResult, 'n'> {
  const { key } = error;
  if (goneKeys.has(key)) return { state: 'skipped', reason: 'gone' };
  const known: readonly string[] = bulkJobs.itemReasons;
  const reason = known.includes(key) ? (key as bulkJobs.ItemReason) : 'internal';
  return { state: 'failed', reason, message: sanitizeLine(groupsIn(error)) ?? null };
}

/** The groups that keep a file or an image, as its failure names them. */
function groupsIn({ more }: DomainError): string {
  const { groups = [] } = (more.detail ?? {}) as { readonly groups?: readonly { readonly groupName: string }[] };
  return groups.map(({ groupName }) => groupName).join(', ');
}
