import { routerBackups, routerPasswords, sentCommands, type Right } from '@highline/contract';
import type { PassEnd } from '../../../platform/engine/engine.ts';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Database, DeviceLink, Queries, Tx } from '../../../platform/ports/index.ts';
import type { Actor, OrganizationScope } from '../../../kernel/scope.ts';
import type { Sealing } from '../../../kernel/sealing.ts';
import { type AuditActor, type AuditEvent, recordAudits, sentence, serverActor } from '../../logs/index.ts';
import { closedWindow, readWindowFacts, type WindowClosed } from '../../windows/index.ts';
import { partOf } from '../sent-command.ts';
import { passwordEnds } from '../passwords/password-ends.ts';
import { preparePasswords } from '../passwords/prepare-passwords.ts';
import { endPasswords } from '../passwords/stored-passwords.job.queries.ts';
import { decideCommand, isOutOfTheWay, oneOfEachRouter, type CommandChange } from './decide.ts';
import { findDueCommands, lockCommands, makeNextDue, nextDueCommand, peekCommands, writeCommands } from './engine.job.queries.ts';
import type { CommandEvent, CommandTimeouts, CommandWork } from './facts.ts';

/** A request to a router, once it is committed. */
export type CommandRequest = Pick<CommandWork, 'id' | 'organizationId' | 'deviceId' | 'routerId' | 'kind' | 'argument'>;

const HAS_PASSWORD: ReadonlySet<string> = new Set([sentCommands.SET_PASSWORD, 'factory-reset']);

export interface CommandPassDeps {
  readonly database: Database;
  /** This process: commands of routers that another one holds are left to it. */
  readonly node: Pick<ServerNode, 'id'>;
  readonly deviceLink: Pick<DeviceLink, 'awaitsSetUp'>;
  /** Seals the passwords that commands set. */
  readonly passwordSealing: Sealing;
  /** Whether who sent a command may do so now (decisions/0092). */
  readonly mayAct: (actor: Actor, right: Right, deviceId?: string) => Promise<boolean>;
}

/** Routers that are due, in one pass. */
const BATCH = 500;

interface Decided {
  readonly work: CommandWork;
  readonly change: CommandChange;
}

/**
 * Examine the next command of every router with events, and what is due of some routers; write what becomes of them, in one transaction.
 * Most routers that connect have no command: they cost a part of one query.
 */
export async function runCommandPass(
  deps: CommandPassDeps,
  timeouts: CommandTimeouts,
  events: readonly CommandEvent[],
  now: Date,
): Promise<PassEnd<CommandEvent, CommandRequest>> {
  const { database, node } = deps;
  const byRouter = Map.groupBy(events, ({ routerId }) => routerId);
  // All at once: someone waits for a result.
  const [due, ofEvents, laterAt] = await Promise.all([
    findDueCommands(database.read, node.id, now, BATCH),
    peekCommands(database.read, node.id, [...byRouter.keys()], now),
    nextDueCommand(database.read, now),
  ]);
  const ofDue = await peekCommands(
    database.read,
    node.id,
    due.filter((routerId) => !byRouter.has(routerId)),
    now,
  );
  const peeked = [...ofEvents, ...ofDue];
  const sendable = peeked.filter((work) => isSendable(work));
  const allowed = await findAllowed(deps, sendable);
  const closed = await findClosed(database.read, sendable, now);
  const before = new Map(peeked.map((work) => [work.id, work]));
  const decide = (locked: CommandWork): Decided[] => {
    if (!isAsExamined(locked, before.get(locked.id)!)) return [];
    const work = {
      ...locked,
      closed: closed.get(locked.id),
      isOnline: locked.isOnline && !deps.deviceLink.awaitsSetUp(locked.routerId),
    };
    const change = decideCommand(work, byRouter.get(work.routerId) ?? [], allowed.has(work.id), now, timeouts);
    return change === undefined ? [] : [{ work, change }];
  };
  const moving = peeked.flatMap((work) => decide(work)).map(({ work }) => work.id);
  const decided = moving.length === 0 ? [] : await database.write((tx) => writePass(tx, deps, moving, decide, now));
  const reached = new Set(decided.map(({ work }) => work.id));
  const missed = new Set(peeked.filter(({ id }) => moving.includes(id) && !reached.has(id)).map(({ routerId }) => routerId));
  const isAnyNext = decided.some(({ work, change }) => isOutOfTheWay(work, change));
  return {
    requests: decided.flatMap(({ work, change }) => (change.isRequest === true ? [work] : [])),
    postponed: events.filter(({ routerId }) => missed.has(routerId)),
    // A command that waited behind one of these may be next.
    again: isAnyNext ? 'now' : missed.size > 0 || due.length === BATCH ? 'soon' : undefined,
    nextDue: earliest([laterAt, ...decided.map(({ change }) => change.dueAt)]),
  };
}

/** Whether it depends on its author and its window only that a command is sent. */
function isSendable({ state, isOnline, isHeldElsewhere }: CommandWork): boolean {
  return state === 'waiting' && isOnline && !isHeldElsewhere;
}

/**
 * Whether what was read without a lock holds for a command as it is locked. One whose router connected since has no known author and window,
 * and one that was made due since may be behind another one: the next pass reads that again.
 */
function isAsExamined(locked: CommandWork, before: CommandWork): boolean {
  if (isSendable(locked) && !isSendable(before)) return false;
  return !locked.isBehind || locked.dueAt.getTime() === before.dueAt.getTime();
}

function earliest(times: readonly (Date | null | undefined)[]): Date | undefined {
  return times.reduce<Date | undefined>((first, time) => (time && !(first && first <= time) ? time : first), undefined);
}

async function writePass(
  tx: Tx,
  { node, passwordSealing }: CommandPassDeps,
  ids: readonly string[],
  decide: (work: CommandWork) => Decided[],
  now: Date,
): Promise<Decided[]> {
  const decided = oneOfEachRouter((await lockCommands(tx, node.id, ids)).flatMap((work) => decide(work)));
  if (decided.length === 0) return decided;
  await writeCommands(tx, decided, now);
  const over = decided.flatMap(({ work, change }) => (isOutOfTheWay(work, change) ? [work] : []));
  if (over.length > 0) await makeNextDue(tx, over, now);
  if (decided.some(({ work }) => HAS_PASSWORD.has(work.kind))) await writePasswords(tx, passwordSealing, decided, now);
  // Logs are locked in the order of their ids, as everywhere.
  const byOrganization = Map.groupBy(decided, ({ work }) => work.organizationId);
  for (const organizationId of [...byOrganization.keys()].sort())
    await recordChanges(tx, byOrganization.get(organizationId)!, now);
  return decided;
}

/** Passwords that are about to be sent are stored first; those of commands that ended are in use, or not. */
async function writePasswords(tx: Tx, sealing: Sealing, decided: readonly Decided[], now: Date): Promise<void> {
  const sent = decided.flatMap(({ work, change }) =>
    work.kind === sentCommands.SET_PASSWORD && change.isRequest === true ? [work] : [],
  );
  await preparePasswords(tx, sealing, sent, now);
  const ended = decided.flatMap(({ work, change }) => (change.dueAt === null ? [{ ...work, ...change }] : []));
  await endPasswords(tx, passwordEnds(ended), now);
}

/** The log entries and the event for consoles of one organization. */
async function recordChanges(tx: Tx, decided: readonly Decided[], now: Date): Promise<void> {
  const seen = decided.filter(({ work, change }) => work.state !== change.state || work.reason !== (change.reason ?? null));
  if (seen.length === 0) return;
  const { mainAccountId, organizationId } = seen[0]!.work;
  const scope: OrganizationScope = { kind: 'organization', mainAccountId, organizationId };
  await announce(
    tx,
    scope,
    'commands',
    seen.map(({ work }) => work.deviceId),
  );
  const entries = seen.flatMap(({ work, change }) => (change.dueAt === null ? [entryOf(work, change)] : []));
  if (entries.length > 0) await recordAudits(tx, organizationId, entries, now);
}

/** What was sent is logged in the name of who sent it; that nothing was sent, in that of the system. */
function entryOf(work: CommandWork, { state, reason, message }: CommandChange): { actor: AuditActor; event: AuditEvent } {
  const { id, serial, kind, argument, name, actor } = work;
  const wasSent = state === 'done' || (state === 'failed' && reason !== 'not-allowed');
  const key = wasSent ? 'command.ran' : state === 'expired' ? 'command.expired' : 'command.dropped';
  const outcome = reason ?? state;
  const detail = {
    serial,
    command: id,
    name,
    kind,
    argument,
    outcome,
    ...(message ? { message } : {}),
    ...(wasSent ? {} : { by: actor.email }),
  };
  const event = { action: sentence(key, partOf(work), serial), subject: { kind: 'device', id: work.deviceId }, detail };
  return { actor: wasSent ? actor : serverActor, event };
}

/** Why the windows of commands that could be sent are closed; those that are open are left out. */
async function findClosed(
  queries: Queries,
  works: readonly CommandWork[],
  now: Date,
): Promise<ReadonlyMap<string, WindowClosed | undefined>> {
  const waiting = works.flatMap(({ id, routerId, window }) => (window === null ? [] : [{ id, routerId, window }]));
  const facts = await readWindowFacts(queries, waiting, now);
  return new Map(waiting.map(({ id, window }) => [id, closedWindow(window, facts.get(id)!, now)]));
}

/** Ids of the commands that could be sent and whose authors may send them now; each author is looked up once, and who is limited for each device. */
async function findAllowed({ mayAct }: CommandPassDeps, works: readonly CommandWork[]): Promise<ReadonlySet<string>> {
  const allowed = new Set<string>();
  for (const own of Map.groupBy(works, authorKey).values()) {
    const { actor, kind } = own[0]!;
    const mayOnAll = await mayAct(actor, rightTo(kind));
    for (const { id, deviceId } of own) if (mayOnAll || (await mayAct(actor, rightTo(kind), deviceId))) allowed.add(id);
  }
  return allowed;
}

function rightTo(kind: sentCommands.SentKind): Right {
  if (kind === sentCommands.RESTORE_CONFIG) return routerBackups.restoreBackup;
  return kind === sentCommands.SET_PASSWORD ? routerPasswords.setRouterPassword : sentCommands.sendCommand;
}

/** What the rights to send a command depend on, but for its device. */
function authorKey({ kind, actor: { accountId, role, organizationId, key, visit } }: CommandWork): string {
  return JSON.stringify([accountId, role, organizationId, key?.id, visit?.id, rightTo(kind).id]);
}
