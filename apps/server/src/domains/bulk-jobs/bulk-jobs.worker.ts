import { rightsOfJob, type Right } from '@highline/contract';
import { sql } from 'kysely';
import { createSharedRun, DomainError, type Actor, type Scope } from '../../kernel/index.ts';
import { workWithin } from '../../platform/calls/index.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { Attempts, isRejection } from '../../platform/retry/attempts.ts';
import { mayActOn, type Allowed } from '../accounts/index.ts';
import type { CommandRuns } from '../commands/index.ts';
import { untilStill } from '../devices/index.ts';
import { findGroups } from '../groups/index.ts';
import { isStoredChange, scopeOf, type OwnJob } from './bulk-job.ts';
import { recordNotAllowed } from './bulk-job.audit.ts';
import { selectMore } from './bulk-job.selection.ts';
import { changeBatch, failBatch } from './bulk-job.batch.ts';
import { COMMAND_BATCH, runCommands } from './bulk-job.commands.ts';
import { removeNext, type Removals } from './bulk-job.removal.ts';
import {
  advance,
  cancel,
  listInterrupted,
  lockJob,
  nextItems,
  postpone,
  readJob,
  releaseItems,
  reserveItems,
  writeResults,
} from './bulk-jobs.store.ts';

export interface BulkWorkerDeps extends Pick<Deps, 'database' | 'clock' | 'log' | 'deviceLink' | 'expiringDays'> {
  readonly runs: CommandRuns;
  readonly removals: Removals;
  /** What the user who started a job may do now; undefined = the role or the organization of that time has ended. */
  readonly findAllowed: (actor: Actor, right: Right) => Promise<Allowed | undefined>;
}

/** Works through the jobs of all organizations, batch by batch. */
export interface BulkWorker {
  /** Look for due jobs: changes of devices one batch at a time, and commands and deletions of rows apart from them. */
  readonly jobs: readonly Job[];
  /** A job may have begun. */
  wake(): void;
  /** Begin a job that deletes rows, for a moment: few rows are gone when this resolves. */
  removeFirst(scope: Scope, id: string): Promise<void>;
  /** Resolves when the current batches are over; no other begins. */
  stop(): Promise<void>;
}

type Lane = 'changes' | 'commands' | 'rows';

const EVERY_MS = 2_000;
/** Longer than a batch of commands takes: each router is waited for at most 30 s, ten at a time. */
const LEASE_MS = 5 * 60_000;
/** A batch that fails this often is given up, and the job continues after it. */
const MOST_ATTEMPTS = 5;
const AGAIN_MS = 2_000;
/** Due jobs that are looked at before the next query. */
const CANDIDATES = 20;
/** Rows of one job before it is the turn of the organization that waits longest. */
const ROW_BATCH = 50;
/** How long a call that starts a deletion works on it. */
const CALL_MS = 1_000;

/** Create the worker of jobs; it is idle until its jobs run or `wake` is called. */
export function createBulkWorker(deps: BulkWorkerDeps): BulkWorker {
  const first = createFirstRows(deps);
  const lanes = [createLane(deps, 'changes'), createLane(deps, 'commands'), createLane(deps, 'rows')];
  return {
    jobs: lanes.map(({ job }) => job),
    wake: () => lanes.forEach((lane) => lane.wake()),
    removeFirst: (scope, id) => first.run(scope, id),
    async stop() {
      await Promise.all([...lanes.map((lane) => lane.stop()), first.stop()]);
    },
  };
}

/** The first rows of deletions, within the calls that start them. */
function createFirstRows(deps: BulkWorkerDeps) {
  const running = new Set<Promise<void>>();
  const work = async (scope: Scope, id: string, until: number) => {
    const job = await readJob(deps.database.read, scope, id);
    if (job?.action.kind !== 'remove' || job.selection !== null) return;
    // Another process may take a row in between; together they come to the end.
    while (performance.now() < until && (await removeNext(deps, job)) !== 'over');
  };
  return {
    async run(scope: Scope, id: string): Promise<void> {
      const begun = work(scope, id, performance.now() + CALL_MS)
        .catch((error: unknown) =>
          deps.log.warn({ err: error, job: id }, 'The first rows were not deleted; the job continues later.'),
        )
        .finally(() => running.delete(begun));
      running.add(begun);
      // A row may wait for a lock, or be an organization with many devices.
      await withinTime(begun, CALL_MS);
    },
    async stop() {
      await Promise.all(running);
    },
  };
}

async function withinTime(work: Promise<void>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

function createLane(deps: BulkWorkerDeps, lane: Lane) {
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  let isDue = false;
  const drain = createSharedRun(async () => {
    while (isDue && !isStopped()) {
      isDue = false;
      while (!isStopped() && (await workOnce(deps, lane, isStopped)));
    }
  });
  const run = (): Promise<void> => {
    isDue = true;
    return drain();
  };
  return {
    job: { name: `bulk jobs: ${lane}`, everyMs: EVERY_MS, run } satisfies Job,
    wake: () => {
      run().catch((error: unknown) => deps.log.warn({ err: error }, 'A pass over the bulk jobs failed and will be retried.'));
    },
    async stop() {
      stopping.abort();
      await drain().catch(() => {});
    },
  };
}

/** Take one batch of the job whose turn it is. @returns whether there was one */
async function workOnce(deps: BulkWorkerDeps, lane: Lane, isStopped: () => boolean): Promise<boolean> {
  for (const candidate of await listDue(deps.database.read, lane, deps.clock.now()))
    if (await workIn(lane, deps, candidate, isStopped)) return true;
  return false;
}

function workIn(lane: Lane, deps: BulkWorkerDeps, candidate: OwnJob, isStopped: () => boolean): Promise<boolean> {
  if (lane === 'commands') return workOnCommand(deps, candidate, isStopped);
  return lane === 'rows' ? workOnRows(deps, candidate, isStopped) : workOnChange(deps, candidate);
}

const laneOf = sql`case a.action ->> 'kind' when 'command' then 'commands' when 'remove' then 'rows' else 'changes' end`;

/** Due jobs: those of the organization first that waits longest for a batch, in it the one that waits longest. */
async function listDue(queries: Queries, lane: Lane, now: Date): Promise<OwnJob[]> {
  const { rows } = await sql<OwnJob>`select a.* from (
      select j.*, max(j.worked_at) over (partition by coalesce(j.organization_id, j.main_account_id)) as owner_worked_at
      from bulk_jobs j where j.ended_at is null
    ) a
    where a.due_at <= ${now}::timestamptz and (a.leased_until is null or a.leased_until < ${now}::timestamptz)
      and ${laneOf} = ${lane}
    order by a.owner_worked_at nulls first, a.worked_at nulls first, a.id limit ${CANDIDATES}`.execute(queries);
  return rows;
}

/** The job as it is now, locked, if it is still due. */
async function lockDue(tx: Tx, { id, ...row }: OwnJob, now: Date): Promise<OwnJob | undefined> {
  const job = await lockJob(tx, scopeOf({ id, ...row }), id, 'skip');
  return job === undefined || job.ended_at !== null || (job.leased_until !== null && job.leased_until >= now) ? undefined : job;
}

/** What the author of a job may do now; undefined = it does not go on. */
async function findAllowedIn(deps: BulkWorkerDeps, { actor, action, ...job }: OwnJob): Promise<Allowed | undefined> {
  let allowed: Allowed | undefined;
  for (const right of rightsOfJob(action)) {
    allowed = await deps.findAllowed(actor, right);
    if (allowed === undefined) return undefined;
  }
  const { limit } = allowed ?? {};
  if (limit === undefined || action.kind !== 'move') return allowed;
  // It moves devices to a group that its author sees.
  const { organizationId } = limit;
  const scope = { kind: 'organization', mainAccountId: job.main_account_id, organizationId } as const;
  const [group] = await workWithin(limit, () => findGroups(deps.database.read, scope, [action.group]));
  return group === undefined ? undefined : allowed;
}

async function workOnChange(deps: BulkWorkerDeps, candidate: OwnJob): Promise<boolean> {
  const { database, clock, deviceLink } = deps;
  const allowed = await findAllowedIn(deps, candidate);
  try {
    const end = await untilStill(database, async (tx) => {
      const now = clock.now();
      const job = await lockDue(tx, candidate, now);
      if (job === undefined) return undefined;
      const changed = await changeOnce(tx, job, allowed, deps.expiringDays, now);
      await announce(tx, scopeOf(job), 'jobs', [job.id]);
      return changed;
    });
    if (end === undefined) return false;
    if (end.disconnected.length > 0) deviceLink.disconnect(end.disconnected, 'The device was deleted.');
    return true;
  } catch (error) {
    await giveUpOrPostpone(deps, candidate, error);
    return true;
  }
}

const NOTHING = { disconnected: [] } as const;

async function changeOnce(tx: Tx, job: OwnJob, allowed: Allowed | undefined, expiringDays: number, now: Date) {
  if (allowed === undefined) {
    await cancel(tx, job, now);
    await recordNotAllowed(tx, job, now);
    return NOTHING;
  }
  if (job.selection === null) return isStoredChange(job) ? changeBatch(tx, job, allowed, now) : NOTHING;
  await selectMore(tx, job, allowed, expiringDays);
  await sql`update bulk_jobs set worked_at = ${now}::timestamptz where id = ${job.id}::uuid`.execute(tx);
  return NOTHING;
}

/** A batch that failed is repeated, or its devices fail: at once where the reason lasts, else after several attempts. */
async function giveUpOrPostpone({ database, clock, log }: BulkWorkerDeps, candidate: OwnJob, error: unknown): Promise<void> {
  const now = clock.now();
  const isLasting = error instanceof DomainError;
  if (!isLasting) log.warn({ err: error, job: candidate.id }, 'A batch of a bulk job failed.');
  await database.write(async (tx) => {
    const job = await lockDue(tx, candidate, now);
    if (job === undefined) return;
    const attempts = isLasting ? MOST_ATTEMPTS : await postpone(tx, job, new Date(now.getTime() + AGAIN_MS));
    if (attempts < MOST_ATTEMPTS) return;
    if (job.selection !== null) await cancel(tx, job, now);
    else await failBatch(tx, job, error, now);
    await announce(tx, scopeOf(job), 'jobs', [job.id]);
  });
}

/** Delete the next rows of a job, each with its result in a transaction of its own. */
async function workOnRows(deps: BulkWorkerDeps, candidate: OwnJob, isStopped: () => boolean): Promise<boolean> {
  if (candidate.selection !== null) return workOnChange(deps, candidate);
  let removed = 0;
  while (removed < ROW_BATCH && !isStopped()) {
    if ((await findAllowedIn(deps, candidate)) === undefined) return workOnChange(deps, candidate);
    try {
      const step = await removeNext(deps, candidate);
      if (step === 'over') break;
      // Another process had this turn: the next one may be ours.
      if (step === 'lost') continue;
    } catch (error) {
      await giveUpOrPostpone(deps, candidate, error);
      return true;
    }
    removed += 1;
  }
  return removed > 0;
}

async function workOnCommand(deps: BulkWorkerDeps, candidate: OwnJob, isStopped: () => boolean): Promise<boolean> {
  const { database, clock, runs } = deps;
  const allowed = candidate.selection === null ? await findAllowedIn(deps, candidate) : undefined;
  if (allowed === undefined) return workOnChange(deps, candidate);
  const until = new Date(clock.now().getTime() + LEASE_MS);
  const taken = await database.write((tx) => takeCommands(tx, candidate, until, clock.now()));
  if (taken === undefined) return false;
  const { job, items } = taken;
  const { results, unsent } = await runCommands(
    runs,
    job,
    items,
    (deviceId) => mayActOn(database.read, allowed, deviceId),
    () => !isStopped() && clock.now() < until,
  );
  const store = async (tx: Tx) => {
    const current = await lockJob(tx, scopeOf(job), job.id);
    if (current === undefined) return;
    await writeResults(tx, current, results, 'sending');
    // Later batches of another process, after the lease was over, stay as they are.
    if (current.leased_until?.getTime() === until.getTime()) {
      const [next] = unsent;
      if (next !== undefined) await releaseItems(tx, job, next.n);
      await advance(tx, current, next === undefined ? (items.at(-1)?.n ?? job.total) : next.n - 1, clock.now());
    }
    await announce(tx, scopeOf(job), 'jobs', [job.id]);
  };
  // Routers have run the command: a short database outage must not make their results unknown.
  await new Attempts().run(
    () => database.write(store),
    (error) => {
      if (isStopped() || clock.now() >= until || isRejection(error)) throw error;
      return false;
    },
  );
  return true;
}

/** Reserve the next routers of a job. What an ended process had sent is not sent again. */
async function takeCommands(tx: Tx, candidate: OwnJob, until: Date, now: Date) {
  const job = await lockDue(tx, candidate, now);
  if (job === undefined) return undefined;
  const interrupted = await listInterrupted(tx, job, COMMAND_BATCH);
  const results = interrupted.map((n) => ({ n, state: 'failed', reason: 'interrupted' }) as const);
  if (results.length > 0) await writeResults(tx, job, results, 'sending');
  const items = await nextItems(tx, job, COMMAND_BATCH);
  await reserveItems(tx, job, items.at(-1)?.n ?? job.total, until, now);
  return { job, items };
}
