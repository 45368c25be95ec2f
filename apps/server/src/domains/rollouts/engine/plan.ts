import type { rollouts } from '@highline/contract';
import {
  hasBootedSince,
  hasFailedTrial,
  isFinished,
  isRestarted,
  runsItsSlot,
  type Facts,
  type Reported,
  type RolloutTimeouts,
  type Target,
} from './facts.ts';
import type { WindowClosed } from '../../windows/index.ts';
import { isActive } from '../is-active.ts';

/** The next action for one router. */
export type RolloutStep =
  /** Finished; nothing to write. */
  | { readonly type: 'keep' }
  /** An event or some time must come first. `until`: check again then even without an event. */
  | { readonly type: 'wait'; readonly reason: rollouts.RolloutReason | null; readonly until?: Date }
  /** A step is under way. */
  | { readonly type: 'stay'; readonly until?: Date }
  | { readonly type: 'end'; readonly state: rollouts.TargetState; readonly reason: rollouts.RolloutReason | null }
  /** Send a new step: download into this slot, or restore there. */
  | { readonly type: 'begin'; readonly slot: string }
  /**
   * Send the stored step again. After an absence the router's silence does not count. An interruption counts: a restart, or an absence while
   * settings were applied, which may be why it was away.
   */
  | { readonly type: 'resend'; readonly after: 'silence' | 'absence' | 'interruption' }
  /** Choose the downloaded slot for the next boot. */
  | { readonly type: 'choose' }
  /** Let the next boot start what the router runs, not what it has chosen. */
  | { readonly type: 'revert' }
  /** Ask the router what it runs now. */
  | { readonly type: 'check' };

const AN_HOUR_MS = 3_600_000;
/** The end of the router's other file triggers the next check; this is the fallback. */
const BUSY_MS = 60_000;
const WINDOW_MS = 120_000;
/** A revert has ended after as many times the timeout of a request: it sends two. */
const REVERT_REQUESTS = 3;
const beginAgain = { type: 'wait', reason: null, until: new Date(0) } as const;
const rolledBack = { type: 'end', state: 'rolled-back', reason: 'did-not-call-home' } as const;

/**
 * Desired minus reported: the only function that decides what a router does next (docs/domains/rollouts.md). Pure. It does
 * not check for a free download slot.
 */
export function nextRolloutStep(facts: Facts, now: Date, timeouts: RolloutTimeouts): RolloutStep {
  const { desired, reported, target } = facts;
  const active = isActive(desired, reported);
  if (isFinished(target)) return healed(facts, active) ?? { type: 'keep' };
  if (active === true) return { type: 'end', state: 'successful', reason: null };
  switch (target.phase) {
    case 'idle':
      return beginning(facts, now);
    case 'sent':
      return underWay(facts, now, timeouts);
    case 'downloaded':
      return choosing(facts, now, timeouts);
    case 'staged':
      return starting(facts);
    case 'applied':
      return facts.isOnline ? { type: 'check' } : { type: 'stay' };
  }
}

/**
 * A router's report overrides the stored result. A failed step is not retried automatically; a router that had the file when it was bound, and was
 * sent nothing since, begins: what an earlier binding had begun may have ended after that.
 */
function healed(facts: Facts, active: boolean | undefined): RolloutStep | undefined {
  const { state, attempt } = facts.target;
  if (state === 'successful') {
    if (active !== false || !facts.isOnline) return undefined;
    return attempt === 0 ? beginAgain : { type: 'end', state: 'failed', reason: 'not-in-force' };
  }
  if (active === true) return { type: 'end', state: 'successful', reason: null };
  // It may have learnt the command meanwhile.
  if (state === 'unsupported' && slotOf(facts) !== undefined) return beginAgain;
  return undefined;
}

function beginning(facts: Facts, now: Date): RolloutStep {
  const { desired, reported, target } = facts;
  if (desired.state !== 'running') return { type: 'wait', reason: desired.state };
  if (!facts.isOnline) return { type: 'wait', reason: 'offline' };
  if (!facts.isSubscribed) return { type: 'wait', reason: 'not-subscribed', until: new Date(now.getTime() + AN_HOUR_MS) };
  // Just connected: its capabilities are being read.
  if (reported.ota === undefined) return { type: 'wait', reason: null };
  if (desired.kind === 'firmware' && reported.model !== desired.model)
    return { type: 'end', state: 'failed', reason: 'wrong-model' };
  const slot = desired.kind === 'settings' ? '' : slotOf(facts);
  if (slot === undefined) return { type: 'end', state: 'unsupported', reason: 'not-supported' };
  if (desired.isOutdated === true) return { type: 'wait', reason: 'settings-changed' };
  if (desired.hasOpenCanaries && !target.isCanary) return { type: 'wait', reason: 'canaries-first' };
  if (target.isLaterWave) return { type: 'wait', reason: 'later-wave' };
  const closed = closedGate(facts);
  if (closed !== undefined) return { type: 'wait', reason: closed };
  if (facts.closedWindow !== undefined) return outsideOfWindow(facts.closedWindow, now);
  if (facts.isBusy) return { type: 'wait', reason: 'queued', until: new Date(now.getTime() + BUSY_MS) };
  const { busySince, dueAt } = target;
  if (busySince !== null && dueAt !== null && now < dueAt) return { type: 'wait', reason: 'queued', until: dueAt };
  return { type: 'begin', slot };
}

/** Why a router may not start what it has downloaded; undefined = it may. */
export function heldBack({
  desired,
  target,
}: Pick<Facts, 'desired' | 'target'>): 'paused' | 'cancelled' | 'later-wave' | undefined {
  if (desired.state !== 'running') return desired.state;
  return target.isLaterWave ? 'later-wave' : undefined;
}

/** What is downloaded is chosen only while the router may start it; `sends` > 0: it may have been chosen. */
function choosing(facts: Facts, now: Date, timeouts: RolloutTimeouts): RolloutStep {
  const { target } = facts;
  if (!facts.isOnline) return { type: 'stay' };
  const mayBeChosen = target.sends > 0;
  if (mayBeChosen && hasFailedTrial(facts)) return rolledBack;
  const reason = heldBack(facts);
  if (mayBeChosen && target.state === 'waiting') return reverting(facts, now, timeouts);
  if (reason === undefined) return { type: 'choose' };
  if (mayBeChosen) return { type: 'revert' };
  return reason === 'cancelled' ? { type: 'end', state: 'waiting', reason } : { type: 'wait', reason };
}

/** A revert reads and then writes: until its end nothing is chosen that it could undo. */
function reverting({ presenceSince, target }: Facts, now: Date, { responseMs }: RolloutTimeouts): RolloutStep {
  const sentAt = target.sentAt ?? new Date(0);
  const until = new Date(sentAt.getTime() + REVERT_REQUESTS * responseMs);
  const isBack = presenceSince !== null && presenceSince > sentAt;
  return isBack || now >= until ? { type: 'revert' } : { type: 'stay', until };
}

/** What is chosen is started by the next boot, unless that is reverted first. A router that rejected it is requested again once it is back. */
function starting(facts: Facts): RolloutStep {
  const { isOnline, presenceSince, target } = facts;
  if (isOnline && isRestarted(facts)) return { type: 'check' };
  const isHeld = heldBack(facts) !== undefined;
  const isRejected = isHeld && target.reason === 'not-reverted';
  const isBack = presenceSince !== null && target.sentAt !== null && presenceSince > target.sentAt;
  if (isOnline && isHeld && (!isRejected || isBack)) return { type: 'revert' };
  return { type: 'wait', reason: isRejected ? 'not-reverted' : 'next-boot' };
}

/** Nothing reports that a vehicle stands still or is in its depot, so it is looked at again. */
function outsideOfWindow({ waits, until }: WindowClosed, now: Date): RolloutStep {
  return { type: 'wait', reason: `window-${waits}`, until: until ?? new Date(now.getTime() + WINDOW_MS) };
}

/** The slot for the file; undefined when the router has no command for it. */
function slotOf({ desired, reported }: Facts): string | undefined {
  const { ota } = reported;
  if (desired.kind === 'settings') return undefined;
  const slot = desired.kind === 'firmware' ? reported.idle_slot : reported.config_slot;
  return ota?.[desired.kind] === true ? (slot ?? undefined) : undefined;
}

/** Whether firmware is downloaded at once and started by the next boot. */
export function isStaged({ desired, reported }: Pick<Facts, 'desired' | 'reported'>): boolean {
  const { kind, schedule, postponeUntil } = desired;
  return kind === 'firmware' && schedule === 'bootup' && postponeUntil === null && reported.ota?.bootable === true;
}

/** Nothing begins before the boot that the schedule waits for; one before the router might begin does not count: its vehicle may be moving by now. */
function closedGate(facts: Facts): 'next-boot' | 'postponed' | undefined {
  const { schedule, postponeUntil } = facts.desired;
  const boundAt = new Date(Math.max(facts.desired.boundAt.getTime(), facts.target.madeAt?.getTime() ?? 0));
  if (schedule === 'immediate' || isStaged(facts)) return undefined;
  const isPostponed = postponeUntil !== null && postponeUntil > boundAt;
  if (hasBootedSince(facts.reported, isPostponed ? postponeUntil : boundAt)) return undefined;
  return isPostponed ? 'postponed' : 'next-boot';
}

function underWay(facts: Facts, now: Date, timeouts: RolloutTimeouts): RolloutStep {
  const { desired, reported, isOnline, presenceSince, target } = facts;
  if (!isOnline) return { type: 'stay' };
  const answerMs = answerTime(desired, timeouts);
  const until = new Date(lastSignOf(target) + (target.takenAt === null ? answerMs : timeouts.quietMs));
  const sentAt = target.sentAt ?? new Date(0);
  const isBack = presenceSince !== null && presenceSince > sentAt;
  // A router that lost its step in a restart begins again; one that still has it answers and continues.
  const isLost = isBack && (target.takenAt === null || hasBootedSince(reported, sentAt));
  if (!isLost && now < until) return { type: 'stay', until };
  const isInterrupted = isBack && (desired.kind === 'settings' || hasStartedSince(reported, sentAt));
  if (hasLeftItsSlot(facts, isInterrupted)) return { type: 'check' };
  const isLast = isInterrupted ? target.interruptions >= timeouts.interruptions : !isBack && target.sends >= timeouts.sends;
  if (isLast) return { type: 'end', state: 'failed', reason: 'no-answer' };
  return { type: 'resend', after: isInterrupted ? 'interruption' : isBack ? 'absence' : 'silence' };
}

/** By its Boot! event, or by its uptime where that has not come yet. */
function hasStartedSince(reported: Reported, moment: Date): boolean {
  return hasBootedSince(reported, moment) || Date.parse(reported.booted_at ?? '') > moment.getTime();
}

/** Whether the image is not to be sent again, though its end was not reported: its slot runs by now, or it did not come up in a restart. */
function hasLeftItsSlot({ desired, reported, target }: Facts, isRestarted: boolean): boolean {
  if (desired.kind !== 'firmware') return false;
  if (runsItsSlot(reported, target)) return true;
  return isRestarted && target.takenAt !== null && reported.idle_status === 'ActivationFailed';
}

/** How long the answer to a step may take. */
export function answerTime({ kind }: Pick<Facts['desired'], 'kind'>, { responseMs, settingsMs }: RolloutTimeouts): number {
  return kind === 'settings' ? settingsMs : responseMs;
}

function lastSignOf({ sentAt, takenAt, updatedAt }: Target): number {
  return Math.max(sentAt?.getTime() ?? 0, takenAt === null ? 0 : Math.max(takenAt.getTime(), updatedAt.getTime()));
}

/** The result of a check: the router reported what it runs after its step ended, or after the boot it waited for. */
export function checkOutcome(facts: Facts, now: Date, timeouts: RolloutTimeouts): RolloutStep {
  const { desired, reported, target } = facts;
  const active = isActive(desired, reported);
  if (active === true || (active === undefined && desired.kind === 'config'))
    return { type: 'end', state: 'successful', reason: null };
  if (reported.idle_status === 'ActivationFailed') return rolledBack;
  const endsAt = (target.sentAt?.getTime() ?? 0) + timeouts.restartMs;
  const isOver = desired.kind === 'config' || isRestarted(facts) || now.getTime() >= endsAt;
  return isOver ? { type: 'end', state: 'failed', reason: 'not-in-force' } : { type: 'stay', until: new Date(endsAt) };
}
