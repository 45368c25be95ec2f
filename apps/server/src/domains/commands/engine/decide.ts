import type { sentCommands } from '@highline/contract';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import type { OperationFailure } from '../../../platform/ports/index.ts';
import type { CommandEvent, CommandStepEvent, CommandTimeouts, CommandWork } from './facts.ts';

/** A command after a pass. */
export interface CommandChange {
  readonly state: sentCommands.SentState;
  readonly reason?: sentCommands.SentReason;
  readonly message?: string | null;
  /** Null = it ended. */
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly sends: number;
  /** Send it, once this is committed. */
  readonly isRequest?: true;
}

/**
 * How the events of its router, and the time, change a command; undefined = not at all. The only function that decides what becomes of
 * one (docs/domains/commands.md). Pure.
 * @param mayAct whether who sent it may do so now
 */
export function decideCommand(
  work: CommandWork,
  events: readonly CommandEvent[],
  mayAct: boolean,
  now: Date,
  timeouts: CommandTimeouts,
): CommandChange | undefined {
  if (work.absence !== null) return ended(work, 'cancelled', work.absence);
  if (work.isBehind) return now >= work.expiresAt ? ended(work, 'expired') : dueAgain(work, work.expiresAt);
  let changed: CommandChange | undefined;
  for (const { step } of events) {
    if (step?.id !== work.id) continue;
    const next = afterEvent({ ...work, ...stateOf(changed) }, step.event, now, timeouts);
    changed = next ?? changed;
    if (changed?.dueAt === null) return changed;
  }
  if (changed !== undefined) return changed;
  const isBack = events.some(({ step }) => step === undefined);
  return isBack || work.dueAt <= now ? afterTime(work, mayAct, now, timeouts) : undefined;
}

/**
 * A router gets one command at a time: of those that would be sent to it now, the first one is. The others wait for its end.
 * @param decided in the order in which they were sent
 */
export function oneOfEachRouter<Decided extends { readonly work: CommandWork; readonly change: CommandChange }>(
  decided: readonly Decided[],
): Decided[] {
  const taken = new Set<string>();
  return decided.map((each) => {
    const { work, change } = each;
    if (change.isRequest !== true || work.state !== 'waiting') return each;
    if (taken.has(work.routerId)) return { ...each, change: { ...kept(work), state: 'waiting', dueAt: work.expiresAt } };
    taken.add(work.routerId);
    return each;
  });
}

/** Whether others of its router, which waited for this command, may be sent. */
export function isOutOfTheWay(work: CommandWork, { state, dueAt }: CommandChange): boolean {
  return dueAt === null || (state === 'waiting' && work.state !== 'waiting' && work.window !== null);
}

/** Its connection may be at another process by then. */
const UNDELIVERED_MS = 2_000;

function stateOf(change: CommandChange | undefined): Partial<Pick<CommandWork, 'state'>> {
  const state = change?.state;
  return state === 'waiting' || state === 'sent' || state === 'running' ? { state } : {};
}

function afterEvent(work: CommandWork, event: CommandStepEvent, now: Date, timeouts: CommandTimeouts): CommandChange | undefined {
  if (work.state === 'waiting') return undefined;
  if (event.type === 'completed')
    return event.failure === undefined ? succeeded(work) : failed(work, event.failure, now, timeouts);
  // A later request of the same command was sent meanwhile, or the router began: the answer to this one says no more.
  if (work.state === 'running') return undefined;
  if (event.type === 'undelivered') return unsent(work, now);
  const { outcome } = event;
  if (outcome.type === 'failed') return failed(work, outcome, now, timeouts);
  if (outcome.type === 'done') return succeeded(work);
  return { ...kept(work), state: 'running', dueAt: after(now, timeouts.endMs) };
}

/** An earlier request may have been carried out: its time stays, so that a start since then proves it. */
function unsent(work: CommandWork, now: Date): CommandChange {
  const sends = work.sends - 1;
  const before = sends > 0 ? ({ state: 'sent', sentAt: work.sentAt } as const) : ({ state: 'waiting', sentAt: null } as const);
  return { ...before, sends, dueAt: after(now, UNDELIVERED_MS) };
}

/** An answer is no proof of a file: it has to be here. */
function succeeded(work: CommandWork): CommandChange {
  return work.hasFile ? ended(work, 'done') : ended(work, 'failed', 'no-file');
}

function failed(work: CommandWork, { cause, message }: OperationFailure, now: Date, timeouts: CommandTimeouts): CommandChange {
  if (cause === 'busy' && now < work.expiresAt) {
    const dueAt = earlier(after(now, timeouts.busyMs), work.expiresAt);
    return { ...kept(work), state: 'waiting', dueAt };
  }
  return { ...ended(work, 'failed', cause === 'busy' ? 'rejected' : cause), message: sanitizeLine(message) };
}

/** What follows without an event of its own: the router is back, or the time is over. */
function afterTime(work: CommandWork, mayAct: boolean, now: Date, timeouts: CommandTimeouts): CommandChange | undefined {
  if (work.state === 'waiting') return afterWaiting(work, mayAct, now, timeouts);
  const sentAt = work.sentAt ?? now;
  if (isCarriedOut(work, sentAt)) return ended(work, 'done');
  const last = later(work.expiresAt, after(sentAt, timeouts.endMs));
  if (now >= last || (work.state === 'running' && work.dueAt <= now)) return ended(work, 'failed', 'no-answer');
  if (work.state === 'running') return undefined;
  // Not by the time of the first request: one that was repeated is not repeated at once when the router is looked at again.
  const isOver = work.dueAt <= now || work.dueAt.getTime() === last.getTime();
  if (!isOver) return undefined;
  if (!work.isOnline) return dueAgain(work, last);
  return work.sends >= timeouts.sends ? ended(work, 'failed', 'no-answer') : send(work, now, timeouts);
}

function afterWaiting(work: CommandWork, mayAct: boolean, now: Date, timeouts: CommandTimeouts): CommandChange | undefined {
  if (now >= work.expiresAt) return ended(work, 'expired');
  // Its own process sends it.
  if (work.isHeldElsewhere) return undefined;
  if (!work.isOnline) return dueAgain(work, work.expiresAt);
  if (!mayAct) return ended(work, 'failed', 'not-allowed');
  if (work.closed === undefined) return send(work, now, timeouts);
  const { waits, until = after(now, timeouts.windowMs) } = work.closed;
  return { ...kept(work), state: 'waiting', reason: `window-${waits}`, dueAt: earlier(until, work.expiresAt) };
}

/** The first request keeps its time: a start of the router after it proves that it was carried out. */
function send(work: CommandWork, now: Date, { repeatMs }: CommandTimeouts): CommandChange {
  const sentAt = work.state === 'waiting' ? now : work.sentAt;
  // The answer to a request that is repeated has as much time again.
  return { state: 'sent', sentAt, sends: work.sends + 1, dueAt: after(now, repeatMs), isRequest: true };
}

/** Uptimes are whole seconds: a start this shortly after the request may have been before it. */
const UPTIME_BLUR_MS = 1_000;

/**
 * Restarts show in the start that follows them; so no router is restarted twice because its answer was lost. Its uptime tells it from a start
 * that is only reported now; with the key of the command the router says it itself. A start alone is no reset: that shows in its cause and in
 * the subscriptions that it deletes, or the router had accepted it before.
 */
function isCarriedOut({ kind, state, bootedAt, resetAt }: CommandWork, sentAt: Date): boolean {
  const isStarted = bootedAt !== null && bootedAt.getTime() > sentAt.getTime() + UPTIME_BLUR_MS;
  if (kind !== 'factory-reset') return kind === 'reboot' && isStarted;
  return (resetAt !== null && resetAt > sentAt) || (state === 'running' && isStarted);
}

function ended(work: CommandWork, state: sentCommands.SentState, reason?: sentCommands.SentReason): CommandChange {
  return { ...kept(work), state, dueAt: null, ...(reason === undefined ? {} : { reason }) };
}

function dueAgain(work: CommandWork, dueAt: Date): CommandChange | undefined {
  return work.dueAt.getTime() === dueAt.getTime() ? undefined : { ...kept(work), state: work.state, dueAt };
}

const kept = ({ sentAt, sends }: CommandWork) => ({ sentAt, sends });
const after = (moment: Date, ms: number) => new Date(moment.getTime() + ms);
const later = (a: Date, b: Date) => (a > b ? a : b);
const earlier = (a: Date, b: Date) => (a < b ? a : b);
