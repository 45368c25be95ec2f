import { rollouts } from '@highline/contract';
import type { SettingsFault } from '../../router-settings/index.ts';
import type { OperationFailure } from '../../../platform/ports/index.ts';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import {
  hasBootedSince,
  hasFailedTrial,
  noRolloutStep,
  runsItsSlot,
  type RolloutTimeouts,
  type Reported,
  type Target,
} from './facts.ts';

/** An event of a step, from its router or from sending it. Events of steps that are no longer stored are ignored. */
export type RolloutStepEvent =
  /** The router began. */
  | { readonly type: 'taken' }
  /** The router cannot begin now, but may later. */
  | { readonly type: 'busy'; readonly failure: OperationFailure }
  /** The router is not connected to this process: nothing was sent. */
  | { readonly type: 'undelivered' }
  | { readonly type: 'completed'; readonly failure?: OperationFailure | undefined }
  /** Settings were applied, or not. */
  | { readonly type: 'applied'; readonly fault: SettingsFault | undefined }
  /** The next boot will start what was downloaded. */
  | { readonly type: 'chosen' }
  /** The next boot will start what the router runs. */
  | { readonly type: 'reverted' }
  /** The router rejected that: the next boot will start what was downloaded. */
  | { readonly type: 'not-reverted' }
  /** The router reported what it runs, and that is committed. */
  | { readonly type: 'checked' };

/** Fields of a target that change. */
export type Change = Partial<Target>;

/** The context for reading an event of a step. */
export interface EventContext {
  readonly kind: rollouts.RolloutKind;
  /** See plan.ts. */
  readonly staged: boolean;
  readonly reported: Reported;
  readonly now: Date;
  readonly timeouts: Pick<RolloutTimeouts, 'interruptions' | 'sends' | 'busyMs'>;
}

/** How an event of its step changes a target; undefined when the event is not new. */
export function applyRolloutEvent(target: Target, event: RolloutStepEvent, context: EventContext): Change | undefined {
  const { now } = context;
  switch (event.type) {
    case 'taken':
      return target.phase === 'sent' && target.takenAt === null ? { takenAt: now, busySince: null } : undefined;
    case 'busy':
      return target.phase === 'sent' ? busy(target, event.failure, context) : undefined;
    case 'undelivered':
      return isUnseen(target)
        ? { ...noRolloutStep, state: 'waiting', reason: 'offline', attempt: target.attempt - 1 }
        : undefined;
    case 'chosen':
      // Not while the choice is reverted.
      return target.phase === 'downloaded' && target.state === 'applying'
        ? { phase: 'staged', state: 'waiting', reason: 'next-boot' }
        : undefined;
    case 'reverted':
      // Not if it has been started meanwhile and failed its trial: that is what became of it.
      return target.phase === 'downloaded' && !hasFailedTrial({ reported: context.reported, target }) ? { sends: 0 } : undefined;
    case 'not-reverted':
      return target.phase === 'downloaded' && target.state === 'waiting'
        ? { phase: 'staged', reason: 'not-reverted' }
        : undefined;
    case 'checked':
      return undefined;
    case 'applied':
      return target.phase === 'sent' ? { ...noRolloutStep, ...resultOf(event.fault) } : undefined;
    case 'completed':
      if (event.failure === undefined) return succeeded(target, context);
      return isInterrupted(target, event.failure, context)
        ? interrupted(target, event.failure, context)
        : { ...noRolloutStep, ...endOf(event.failure) };
  }
}

/** The first pause of a router that is busy, and the longest. */
const BUSY_MS = { least: 60_000, most: 3_600_000 };

/** Its place is for others while a router is busy, and it is tried again after longer and longer pauses. */
function busy(target: Target, failure: OperationFailure, { now, timeouts }: EventContext): Change {
  const busySince = target.busySince ?? now;
  // It was sent before, and may be what the router is busy with.
  if (!isUnseen(target) && target.sends < timeouts.sends) return { takenAt: now, busySince };
  const elapsed = now.getTime() - busySince.getTime();
  if (elapsed >= timeouts.busyMs) return { ...noRolloutStep, ...endOf(failure) };
  const pause = Math.min(BUSY_MS.most, Math.max(BUSY_MS.least, elapsed));
  const dueAt = new Date(now.getTime() + pause);
  return { ...noRolloutStep, state: 'waiting', reason: 'queued', attempt: target.attempt - 1, madeAt: now, busySince, dueAt };
}

/** No router has seen this step yet: it was sent once, and nothing came back. */
function isUnseen({ state, percent, takenAt, begunAt, sentAt }: Target): boolean {
  return state === 'downloading' && percent === 0 && takenAt === null && begunAt?.getTime() === sentAt?.getTime();
}

function resultOf(fault: SettingsFault | undefined): Change {
  if (fault === undefined) return { state: 'successful', reason: null, detail: null, percent: 100 };
  return { state: fault.reason === 'settings-returned' ? 'rolled-back' : 'failed', ...fault };
}

function succeeded(target: Target, { kind, staged, reported, now }: EventContext): Change | undefined {
  // A repeated completion.
  if (target.phase !== 'sent') return undefined;
  if (staged) return { phase: 'downloaded', state: 'applying', reason: null, percent: 100, sends: 0 };
  if (kind !== 'firmware') return { ...awaitingStart(now), state: 'applying' };
  // A restart before was of the download, unless the router runs its slot by now.
  return { ...awaitingStart(now), ...(runsItsSlot(reported, target) ? {} : { begunAt: now }) };
}

/** The router has the firmware, and what it runs after its start decides. */
export function awaitingStart(now: Date): Change {
  return { phase: 'applied', state: 'rebooting', reason: null, percent: 100, sentAt: now, sends: 0 };
}

/** Whether a restart ended the step rather than a fault. A failure that names its reason is not an interruption. */
function isInterrupted({ phase, sentAt }: Target, { cause, message }: OperationFailure, { reported }: EventContext): boolean {
  if (phase !== 'sent' || sentAt === null || (cause !== 'failed' && cause !== 'interrupted')) return false;
  return knownReason(sanitizeLine(message) ?? '') === undefined && (cause === 'interrupted' || hasBootedSince(reported, sentAt));
}

/** The step is sent again, up to the limit. */
function interrupted(target: Target, failure: OperationFailure, { reported, now, timeouts }: EventContext): Change {
  // It was already sent again at that restart, which counted: this is the completion of the earlier attempt.
  if (isResent(target, reported) && target.sends === 0) return { sends: 1 };
  const interruptions = target.interruptions + 1;
  if (interruptions > timeouts.interruptions) return { ...noRolloutStep, ...endOf(failure) };
  return isResent(target, reported) ? { interruptions } : { sentAt: now, takenAt: null, interruptions, busySince: null };
}

function isResent({ begunAt, sentAt }: Target, reported: Reported): boolean {
  if (begunAt === null || sentAt === null || sentAt <= begunAt) return false;
  return hasBootedSince(reported, begunAt) && !hasBootedSince(reported, sentAt);
}

/** Reasons of failures that a router names. The others are the decisions of the rollout: in a router's message they mean something else. */
const failures: ReadonlySet<string> = new Set<rollouts.RolloutReason>([
  'wrong-model',
  'download-failed',
  'verification-failed',
  'installation-failed',
  'did-not-call-home',
]);
const codes: ReadonlySet<string> = new Set(rollouts.rolloutReasons);

/** Status values of TR-181's FirmwareImage, and plain phrases, that name a stage. */
const stages: readonly [text: RegExp, reason: rollouts.RolloutReason][] = [
  [/did-not-call-home|activation ?failed/iu, 'did-not-call-home'],
  [/validation ?failed|check ?sum|signature|sha-?256/iu, 'verification-failed'],
  [/installation ?failed|insufficient/iu, 'installation-failed'],
  [/download ?failed/iu, 'download-failed'],
];

/** A failure as state and reason: a code if the router's message begins with one or names a stage, otherwise the message. */
function endOf({ code, message }: OperationFailure): Pick<Target, 'state' | 'reason' | 'detail'> {
  const text = sanitizeLine(message) ?? '';
  const reason = knownReason(text);
  if (reason === undefined) return { state: 'failed', reason: ownText(code, text), detail: null };
  const detail = withoutCode(text, reason);
  return { state: reason === 'did-not-call-home' ? 'rolled-back' : 'failed', reason, detail };
}

/** The router's own message, which never reads as one of our codes. */
function ownText(code: OperationFailure['code'], text: string): string {
  if (text === '') return `error ${code}`;
  return codes.has(text) ? `error ${code}: ${text}` : text;
}

/** The rest of a message that begins with our code; null if there is none. */
function withoutCode(text: string, code: string): string | null {
  const rest = text.startsWith(code) ? text.slice(code.length).replace(/^[\s:,;.-]+/u, '') : text;
  return rest === '' ? null : rest;
}

/** The code that the router's message begins with, or of the stage that it names. */
function knownReason(text: string): string | undefined {
  const leading = /^[a-z-]+/u.exec(text)?.[0] ?? '';
  return failures.has(leading) ? leading : stages.find(([pattern]) => pattern.test(text))?.[1];
}

/** The progress of a download from a changed parameter; undefined when it is not new. */
export function progress(target: Target, name: string, value: string): Change | undefined {
  if (target.phase !== 'sent') return undefined;
  if (name === 'X_HIGHLINE_Progress') return percentage(target, value);
  const state = states.get(value);
  return state === undefined || state === target.state ? undefined : { state, sends: 0, busySince: null };
}

/** A map, since an object has more names than its own: `constructor` would be a state. */
const states: ReadonlyMap<string, rollouts.TargetState> = new Map([
  ['Downloading', 'downloading'],
  ['Validating', 'verifying'],
  ['Available', 'applying'],
]);
/** The console gets an update for each step of this many percent. */
const COARSE = 10;

function percentage(target: Target, value: string): Change | undefined {
  const percent = /^\d{1,3}$/u.test(value) ? Math.min(100, Number(value)) : 0;
  const coarse = percent - (percent % COARSE);
  // A download that goes on after each restart may be interrupted often.
  return coarse > target.percent ? { percent: coarse, sends: 0, interruptions: 0, busySince: null } : undefined;
}
