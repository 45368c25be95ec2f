import { DomainError } from '../../kernel/failure.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Log } from '../../platform/ports/log.ts';
import { DirectoryUnavailable, type DirectoryClient } from './directory-client.ts';
import { listNames } from './membership.queries.ts';
import {
  findPass,
  listDueUpdates,
  listOwnAdditions,
  lockSending,
  notePass,
  removeUpdates,
  type DueUpdate,
  type Pass,
} from './membership.store.ts';
import { MOST_NAMES, type CellKeys, type CellName, type HashedName } from './names.ts';

export interface MembershipDeps {
  readonly database: Pick<Database, 'read' | 'write'>;
  readonly log: Log;
  readonly keys: CellKeys;
  readonly send: DirectoryClient;
}

const EVERY_MS = 1_000;
/** Time between two passes over all names, which mend a directory that was restored or lost. */
const PASS_MS = 24 * 3_600_000;
/** Rows of a batch of the pass; a router has up to five names. */
const PASS_ROWS = Math.floor(MOST_NAMES / 5);

/**
 * Claim the names that a transaction adds, as its last step: from the moment a change is acknowledged, the directory has them,
 * and no other cell does.
 * @throws DomainError when another cell has one of them, or the directory does not answer
 */
export function createClaim({ keys, send, log }: Pick<MembershipDeps, 'keys' | 'send' | 'log'>): (tx: Tx) => Promise<void> {
  return async (tx) => {
    // Secrets are random; two cells never have the same one.
    const added = (await listOwnAdditions(tx)).filter(({ kind }) => kind !== 'secret');
    for (let first = 0; first < added.length; first += MOST_NAMES) {
      const names = added.slice(first, first + MOST_NAMES).map((name) => keys.hash(name));
      const { taken } = await send('claim', { names }).catch((error: Error) => {
        log.warn({ err: error }, 'The directory of cells does not answer; no users or routers can be added.');
        throw new DomainError('server.busy', {
          message: 'Users and routers cannot be added while the directory of cells does not answer. Try again later.',
          retryAfter: 5,
        });
      });
      const [one] = taken;
      if (one !== undefined)
        throw one.kind === 'email'
          ? new DomainError('account.exists', { field: 'email' })
          : new DomainError('inventory.taken_elsewhere');
    }
  };
}

/** Sends changed names within a second, and all names once a day. */
export function membershipJob(deps: MembershipDeps): Job {
  let isAway = false;
  return {
    name: 'directory of cells',
    everyMs: EVERY_MS,
    async run(now) {
      try {
        while (await sendUpdates(deps));
        await continuePass(deps, now);
        if (isAway) deps.log.info({}, 'The directory of cells answers again.');
        isAway = false;
      } catch (error) {
        if (!(error instanceof DirectoryUnavailable)) throw error;
        if (!isAway) deps.log.warn({ err: error }, 'The directory of cells does not answer; changes are kept and sent later.');
        isAway = true;
      }
    },
  };
}

/** Send one batch of the outbox. Repeating it is harmless. @returns whether there may be more */
async function sendUpdates({ database, send, keys, log }: MembershipDeps): Promise<boolean> {
  return database.write(async (tx) => {
    if (!(await lockSending(tx))) return false;
    const due = await listDueUpdates(tx, MOST_NAMES);
    if (due.length === 0) return false;
    const { taken } = await send('update', {
      add: hashesOf(keys, due, true),
      remove: hashesOf(keys, due, false),
    });
    reportTaken(log, taken);
    await removeUpdates(
      tx,
      due.map(({ id }) => id),
    );
    return due.length === MOST_NAMES;
  });
}

/** The last update of each name counts. */
function hashesOf(keys: CellKeys, due: readonly DueUpdate[], isAdded: boolean): HashedName[] {
  const last = new Map(due.map((update) => [`${update.kind} ${update.name}`, update]));
  return [...last.values()].filter((update) => update.isAdded === isAdded).map((update) => keys.hash(update));
}

/** Only for names that were not claimed: those that existed before the cell joined, or that a command line added. */
function reportTaken(log: Log, taken: readonly HashedName[]): void {
  if (taken.length === 0) return;
  const kinds = taken.map(({ kind }) => kind);
  log.error(
    { names: taken.length, kinds: [...new Set(kinds)] },
    'Names of this cell belong to another cell already. The directory leads to that one: remove them from one of the cells.',
  );
}

/** Send the next batch of a pass, or begin one when the last is a day old. */
async function continuePass(deps: MembershipDeps, now: Date): Promise<void> {
  await deps.database.write(async (tx) => {
    if (!(await lockSending(tx))) return;
    const pass = await findPass(tx);
    if (pass === undefined) return;
    if (pass.table !== null) await notePass(tx, await sendPage(deps, tx, pass, now));
    else if (pass.endedAt === null || now.getTime() - pass.endedAt.getTime() > PASS_MS) {
      const { at } = await deps.send('begin', {});
      await notePass(tx, { beganAt: new Date(at), table: 'accounts', after: null, endedAt: pass.endedAt });
    }
  });
}

async function sendPage({ send, keys, log }: MembershipDeps, tx: Tx, pass: Pass, now: Date): Promise<Omit<Pass, 'cell'>> {
  const rows = await listNames(tx, pass.table ?? 'accounts', pass.after, PASS_ROWS);
  const names: CellName[] = rows.flatMap((row) => row.names);
  if (names.length > 0) reportTaken(log, (await send('update', { add: names.map((name) => keys.hash(name)), remove: [] })).taken);
  const last = rows.at(-1);
  if (last !== undefined && rows.length === PASS_ROWS) return { ...pass, after: last.id };
  if (pass.table === 'accounts') return { ...pass, table: 'routers', after: null };
  await send('end', { began: (pass.beganAt ?? now).toISOString() });
  return { beganAt: null, table: null, after: null, endedAt: now };
}
