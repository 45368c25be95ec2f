import type { Job } from '../../../platform/jobs/runner.ts';
import type { Contact } from '../../../platform/ports/contacts.ts';
import type { PresenceReason } from '@highline/contract';
import type { Deps } from '../../../platform/ports/deps.ts';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import { pageHeld, writeUnheld, type ComparePresence, type ReplacedConnection, type Unheld } from './presence.store.ts';
import type { PresenceWriter } from './presence.writer.ts';

const COMPARE_EVERY_MS = 30_000;
/** Routers per page of a comparison, and per transaction that sets routers of ended nodes. */
const PAGE = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** A timer may fire a millisecond early by the clock. */
const TIMER_MARGIN_MS = 5;
/**
 * After a storm, routers have this many times the grace: those that failed to connect while the server was away, or busy with others, wait longer
 * after each try, as TR-369 has it for WebSocket: after the fourth one for up to 80 s.
 */
const STORM_GRACES = 4;

/** A router's connection to this process. */
export interface Connection {
  readonly since: Date;
  readonly epoch: number;
}

interface ComparisonDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly node: Pick<ServerNode, 'id'>;
  readonly graceMs: number;
  readonly compare: ComparePresence | undefined;
}

/** The sockets of this process, and what is done about a difference. */
export interface ComparedSockets {
  readonly online: ReadonlyMap<string, Connection>;
  readonly writer: Pick<PresenceWriter, 'waiting' | 'flush' | 'whenWritten' | 'observe'>;
  readonly goOffline: (routerId: string, epoch: number, reason: PresenceReason, contact: Contact | null) => void;
  readonly restate: (routerId: string, connection: Connection) => void;
  readonly leave: (connections: readonly ReplacedConnection[], isOlder: (own: number, epoch: number) => boolean) => void;
  /** Many routers have connected again within this time, and those that are not here yet may wait for their turn. */
  readonly hadStorm: (now: number, withinMs: number) => boolean;
}

export interface Comparison {
  readonly job: Job;
  /** Compare now, and once more when routers of ended nodes have had the time to connect here. */
  start(): void;
  /** Compare now, if it has started. */
  runWhenStarted(): void;
  /** A running comparison ends with its page. */
  abort(): void;
  whenEnded(): Promise<void>;
}

/** Compares the database with the sockets of this process and corrects it, so that no error persists. */
export function createComparison(deps: ComparisonDeps, sockets: ComparedSockets): Comparison {
  const { clock, log, graceMs } = deps;
  const { online } = sockets;
  const stopping = new AbortController();
  /** Before this, routers without a node may not have had the time to connect here. */
  let graceEnds = Number.POSITIVE_INFINITY;
  let graceTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const compareUnheld = async () => {
    if ((await writeAllUnheld(deps, 'ended', stopping.signal)) > 0) runAfterGrace();
    const now = clock.now().getTime();
    if (now < graceEnds) return;
    // Those that connected here meanwhile are not lost, however long the database takes to write it.
    await sockets.writer.whenWritten();
    const most = graceMs * STORM_GRACES;
    const grace = sockets.hadStorm(now, most) ? most : graceMs;
    await writeAllUnheld(deps, { unknownSince: new Date(now - grace) }, stopping.signal);
  };
  const runAfterGrace = () => {
    clearTimeout(graceTimer);
    if (!stopping.signal.aborted) graceTimer = setTimeout(() => void runNow(), graceMs + TIMER_MARGIN_MS);
  };
  const runOnce = async () => {
    const held = await sockets.writer.observe((isMoving) => compareHeld(deps, sockets, isMoving, stopping.signal));
    for (const id of held) sockets.restate(id, online.get(id)!);
    await compareUnheld();
  };
  const run = () => {
    running ??= runOnce().finally(() => (running = undefined));
    return running;
  };
  const runNow = async () => {
    try {
      await running;
      await run();
    } catch (error) {
      log.warn({ err: error }, 'Failed to compare router connections with the database; the comparison job will retry.');
    }
  };
  return {
    job: { name: 'presence.comparison', everyMs: COMPARE_EVERY_MS, run },
    start() {
      graceEnds = clock.now().getTime() + graceMs;
      runAfterGrace();
      void runNow();
    },
    runWhenStarted() {
      if (Number.isFinite(graceEnds) && !stopping.signal.aborted) void runNow();
    },
    abort() {
      stopping.abort();
      clearTimeout(graceTimer);
    },
    whenEnded: async () => running?.catch(() => {}),
  };
}

/** Routers that the database says are connected here. @returns ids of those that are, although the database says otherwise */
async function compareHeld(
  { database, node }: Pick<ComparisonDeps, 'database' | 'node'>,
  { online, writer, goOffline, leave }: ComparedSockets,
  isMoving: (routerId: string) => boolean,
  stopping: AbortSignal,
): Promise<readonly string[]> {
  const missing = new Set(online.keys());
  const nodeId = node.id;
  let after = FIRST_ID;
  for (let isLast = false; !isLast && !stopping.aborted;) {
    const page = await pageHeld(database.read, nodeId, after, PAGE);
    for (const { id, presence, epoch } of page) {
      if (presence === 'online') missing.delete(id);
      if (!online.has(id) && !isMoving(id)) goOffline(id, epoch, 'connection-lost', null);
    }
    leave(
      page.flatMap(({ id, epoch }) => (isMoving(id) ? [] : [{ routerId: id, epoch }])),
      (own, epoch) => own < epoch,
    );
    isLast = page.length < PAGE;
    after = page.at(-1)?.id ?? after;
    // Limits the pending writes to one page.
    if (writer.waiting >= PAGE) await writer.flush();
  }
  if (stopping.aborted) return [];
  return [...missing].filter((id) => online.has(id) && !isMoving(id));
}

/** Routers that no process holds. @returns how many got another state */
async function writeAllUnheld(
  { database, clock, compare }: Pick<ComparisonDeps, 'database' | 'clock' | 'compare'>,
  which: Unheld,
  stopping: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let written = PAGE; written >= PAGE && !stopping.aborted;) {
    written = await database.write((tx) => writeUnheld(tx, which, clock.now(), PAGE, compare));
    count += written;
  }
  return count;
}
