import type { PassEnd } from '../../../platform/engine/engine.ts';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Database, Queries, Tx } from '../../../platform/ports/database.ts';
import type { DeviceLink } from '../../../platform/ports/device-link.ts';
import type { OrganizationScope } from '../../../kernel/scope.ts';
import { recordAudits, serverActor } from '../../logs/index.ts';
import { recordRouterEvents, type RouterEvent } from '../../router-state/index.ts';
import { closedWindow, readWindowFacts, type WindowClosed } from '../../windows/index.ts';
import { notAllowedEvent, profileEvent } from '../esims.audit.ts';
import { isUseRequested } from '../lineup.ts';
import type { EsimRequest } from './apply.ts';
import { examineAuthors, type AuthorDeps } from './authors.ts';
import { findDueEsims, nextDueEsim } from './due.store.ts';
import { lockEsims, peekEsims, writeEsims, type Writing } from './engine.store.ts';
import type { EsimTimeouts, Row, EsimWork } from './facts.ts';
import { EXPIRED, NOT_ALLOWED } from './reasons.ts';
import { reconcileEsims, type EsimEvent, type ReconciledEsims } from './reconcile.ts';

/** A request to a router. */
export interface EsimPassRequest {
  readonly routerId: string;
  readonly request: EsimRequest;
}

export type EsimPassResult = PassEnd<EsimEvent, EsimPassRequest>;

export interface EsimPassDeps extends AuthorDeps {
  readonly database: Database;
  /** This process: steps of routers that another one holds are left to it. */
  readonly node: Pick<ServerNode, 'id'>;
  readonly deviceLink: Pick<DeviceLink, 'awaitsSetUp'>;
}

/** Routers that are due, in one pass. */
const BATCH = 300;

/**
 * Examine every router with events, and some that are due; write what they do next. Most have nothing to do (for example ten
 * thousand unchanged routers that reconnect together): those are read without a lock.
 */
export async function runEsimPass(
  { database, deviceLink, mayAct, node: { id: nodeId } }: EsimPassDeps,
  timeouts: EsimTimeouts,
  events: readonly EsimEvent[],
  now: Date,
): Promise<EsimPassResult> {
  const due = await findDueEsims(database.read, nodeId, now, BATCH);
  const byRouter = Map.groupBy(events, ({ routerId }) => routerId);
  const peeked = await peekEsims(database.read, nodeId, [...new Set([...byRouter.keys(), ...due])]);
  const closedOf = await examineWindows(database.read, peeked, now);
  const mayUseOf = await examineAuthors({ mayAct }, peeked);
  const reconcile = (locked: EsimWork) => {
    const isOnline = locked.isOnline && !deviceLink.awaitsSetUp(locked.routerId);
    const work = { ...locked, isOnline, closed: closedOf(locked), mayUse: mayUseOf(locked) };
    return writingOf(work, reconcileEsims(work, byRouter.get(work.routerId) ?? [], now, timeouts));
  };
  const moving = peeked.filter((work) => hasEffect(reconcile(work))).map(({ routerId }) => routerId);
  const isFull = due.length === BATCH;
  if (moving.length === 0)
    return { requests: [], postponed: [], again: isFull ? 'soon' : undefined, nextDue: await nextDueEsim(database.read, now) };
  const written = await database.write(async (tx) => {
    // Whose author is not known yet is looked at again by the next pass, at once.
    const locked = (await lockEsims(tx, nodeId, moving)).filter((work) => mayUseOf(work) !== undefined);
    const writings = locked.map((work) => reconcile(work));
    await writeEsims(tx, writings, now);
    await announceChanges(tx, writings, now);
    await recordWithdrawn(tx, writings, now);
    return writings;
  });
  const reached = new Set(written.map(({ work }) => work.routerId));
  const missed = new Set(moving.filter((id) => !reached.has(id)));
  return {
    requests: written.flatMap(({ work, request }) => (request === undefined ? [] : [{ routerId: work.routerId, request }])),
    postponed: events.filter(({ routerId }) => missed.has(routerId)),
    again: missed.size > 0 || isFull ? 'soon' : undefined,
    nextDue: await nextDueEsim(database.read, now),
    isForOthers: written.some(({ work }) => work.isHeldElsewhere),
  };
}

/** The window of the switch that is requested of a router; undefined = none is, or at any time. */
const windowOf = ({ rows }: EsimWork) => rows.find((row) => isUseRequested(row))?.useWindow ?? undefined;

/** Whether the windows of requested switches are open. @returns for a router as it is locked: why its switch has to wait */
async function examineWindows(
  queries: Queries,
  works: readonly EsimWork[],
  now: Date,
): Promise<(locked: EsimWork) => WindowClosed | undefined> {
  const waiting = works.flatMap((work) => {
    const window = work.isOnline ? windowOf(work) : undefined;
    return window === undefined ? [] : [{ id: work.routerId, routerId: work.routerId, window }];
  });
  const facts = await readWindowFacts(queries, waiting, now);
  const examined = new Map(
    waiting.map(({ routerId, window }) => [
      routerId,
      { window: JSON.stringify(window), closed: closedWindow(window, facts.get(routerId)!, now) },
    ]),
  );
  return (locked) => {
    const window = windowOf(locked);
    if (window === undefined) return undefined;
    const known = examined.get(locked.routerId);
    // Another window was requested meanwhile: it is examined by the next pass, at once.
    return known?.window === JSON.stringify(window) ? known.closed : { waits: 'hours', until: now };
  };
}

interface Decided extends Writing {
  readonly request: EsimRequest | undefined;
}

function writingOf(work: EsimWork, { rows, reported: byRouter, request }: ReconciledEsims): Decided {
  const before = new Map(work.rows.map((row) => [row.id, row]));
  const after = new Set(rows.map(({ id }) => id));
  const changed = rows.filter((row) => before.has(row.id) && !isSame(before.get(row.id)!, row));
  return {
    work,
    changed,
    born: rows.filter(({ id }) => !before.has(id)),
    gone: work.rows.filter(({ id }) => !after.has(id)).map(({ id }) => id),
    seen: new Set(changed.filter((row) => isVisible(before.get(row.id)!, row)).map(({ id }) => id)),
    reported: byRouter,
    request,
  };
}

function hasEffect({ changed, born, gone, reported: byRouter, request }: Decided): boolean {
  return changed.length + born.length + gone.length > 0 || byRouter !== undefined || request !== undefined;
}

function isSame(before: Row, after: Row): boolean {
  return JSON.stringify(before) === JSON.stringify({ ...before, ...after });
}

/** Whether users see the difference. */
function isVisible(before: Row, after: Row): boolean {
  const columns = ['status', 'reason', 'iccid', 'carrier', 'eid'] as const;
  return columns.some((column) => before[column] !== after[column]);
}

/** The timelines of the routers, and one event per organization for a whole pass. */
async function announceChanges(tx: Tx, writings: readonly Decided[], now: Date): Promise<void> {
  await recordRouterEvents(
    tx,
    writings.flatMap((writing) => eventsOf(writing)),
    now,
  );
  const moved = writings.filter(({ seen, born, gone }) => seen.size + born.length + gone.length > 0);
  for (const own of Map.groupBy(moved, ({ work }) => work.organizationId).values()) {
    const { mainAccountId, organizationId } = own[0]!.work;
    const scope: OrganizationScope = { kind: 'organization', mainAccountId, organizationId };
    await announce(
      tx,
      scope,
      'esims',
      own.flatMap(({ seen, born, gone }) => [...seen, ...born.map(({ id }) => id), ...gone]),
    );
  }
}

/** The log entries of switches that were withdrawn; logs are locked in the order of their ids, as everywhere. */
async function recordWithdrawn(tx: Tx, writings: readonly Decided[], now: Date): Promise<void> {
  const withdrawn = writings.flatMap(({ work, changed }) => {
    const row = changed.find(
      ({ id, reason }) =>
        (reason === NOT_ALLOWED || reason === EXPIRED) && work.rows.some((was) => was.id === id && isUseRequested(was)),
    );
    if (row === undefined) return [];
    const profile = { ...work, ...row };
    const isExpired = row.reason === EXPIRED;
    return [
      { work, event: isExpired ? profileEvent('Withdrew the switch to', profile) : notAllowedEvent(profile, row.useAuthor) },
    ];
  });
  const byOrganization = Map.groupBy(withdrawn, ({ work }) => work.organizationId);
  for (const organizationId of [...byOrganization.keys()].sort()) {
    const entries = byOrganization.get(organizationId)!.map(({ event }) => ({ actor: serverActor, event }));
    await recordAudits(tx, organizationId, entries, now);
  }
}

function eventsOf({ work, changed, gone }: Decided): RouterEvent[] {
  const before = new Map(work.rows.map((row) => [row.id, row]));
  const event = (row: Row, state: string): RouterEvent => ({
    routerId: work.routerId,
    kind: 'sim',
    subject: 'esim',
    label: row.name || row.iccid,
    state,
    reason: row.reason,
  });
  const moves = changed.flatMap((row) => {
    const was = before.get(row.id)!;
    const isDownloaded = was.step === 'download' && row.step === null && row.path !== null;
    return [
      ...(isDownloaded ? [event(row, 'downloaded')] : []),
      ...(row.status === 'In Use' && was.status !== 'In Use' ? [event(row, 'in-use')] : []),
      ...(failures.has(row.status) && was.status !== row.status ? [event(row, 'failed')] : []),
    ];
  });
  const deleted = gone.map((id) => before.get(id)!).filter(({ status }) => status === 'Deleting...');
  return [...moves, ...deleted.map((row) => event({ ...row, reason: '' }, 'deleted'))];
}

const failures: ReadonlySet<string> = new Set(['Fail to download', 'Fail to activate', 'Out of memory']);
