import type { rollouts } from '@highline/contract';
import type { BoundFile, ReportedFiles } from '../is-active.ts';
import type { WindowClosed } from '../../windows/index.ts';
import type { OtaSupport } from '../../../platform/ports/device-link.ts';

/** The desired state of a group's routers, to compare with one of its routers. */
export interface Desired extends BoundFile {
  /** Whether the image has our trailer; a config file has none. */
  readonly isSigned: boolean;
  readonly schedule: rollouts.Schedule;
  readonly postponeUntil: Date | null;
  /** Since when it is to be had: the binding, or later a person resumed the rollout. */
  readonly boundAt: Date;
  readonly state: 'running' | 'paused' | 'cancelled';
  /** Canaries that are not successful yet. */
  readonly hasOpenCanaries: boolean;
  /** Of settings: other ones were saved since, which this rollout does not send. */
  readonly isOutdated?: boolean;
  /** It goes on in waves (WIN-01). */
  readonly hasWaves: boolean;
  /** When routers may begin; null and undefined = at any time. */
  readonly window?: rollouts.UpdateWindow | null;
}

/** Values that a router reported about itself. A missing field was never reported. */
export interface Reported extends ReportedFiles {
  /** ISO 8601, by our clock, computed from its uptime. */
  readonly booted_at?: string | null;
  /** ISO 8601, when its last Boot! event came. */
  readonly boot_heard_at?: string;
  /** False: its subscriptions, that for Boot! too, end with a restart. */
  readonly subscribed?: boolean;
  readonly ota?: OtaSupport;
  readonly idle_slot?: string | null;
  readonly idle_status?: string | null;
  readonly config_slot?: string | null;
}

export type Phase = 'idle' | 'sent' | 'downloaded' | 'staged' | 'applied';

/** The progress of one router towards a binding, as it is stored. */
export interface Target {
  readonly state: rollouts.TargetState;
  /** A code of the contract's rolloutReasons, or the router's own message. */
  readonly reason: string | null;
  /** The router's own message of a failure that `reason` gives a code, or both versions where the bound one does not run; of an earlier failure while another state is shown. */
  readonly detail: string | null;
  readonly percent: number;
  readonly attempt: number;
  /** When this device was to have the file: it joined the group, a person retried it, or it last had to wait for others or was busy. Null: when it was bound. */
  readonly madeAt: Date | null;
  readonly isCanary: boolean;
  /** Of a wave that may not begin yet. */
  readonly isLaterWave: boolean;
  readonly phase: Phase;
  readonly stepKey: string | null;
  readonly slot: string | null;
  /** When its step began; once it has what a restart is for, the time since when a restart counts. */
  readonly begunAt: Date | null;
  readonly sentAt: Date | null;
  readonly takenAt: Date | null;
  /** How often its step was sent since the last sign of progress; of what is downloaded, > 0 = it may be chosen for the next boot. */
  readonly sends: number;
  /** How often a restart ended this attempt early since its last progress, or the router was away while its settings were applied. */
  readonly interruptions: number;
  /** Since when its router answers that it is busy, without progress, a restart or an absence in between. */
  readonly busySince: Date | null;
  readonly checkedBy: string | null;
  /** Since when it has a place among the downloads; null = it has none. */
  readonly downloadSince: Date | null;
  readonly updatedAt: Date;
  /** When the engine must look at it next; null = only after an event. */
  readonly dueAt: Date | null;
}

/** Everything that decides what a router does next. */
export interface Facts {
  readonly desired: Desired;
  readonly reported: Reported;
  /** Connected, and set up: it executes a command and reports its end. */
  readonly isOnline: boolean;
  /** Since when it is connected or disconnected. */
  readonly presenceSince: Date | null;
  readonly isSubscribed: boolean;
  /** Another file of the same router is under way, or goes first. */
  readonly isBusy: boolean;
  /** What it is outside of its window for; undefined = it may begin. */
  readonly closedWindow?: WindowClosed | undefined;
  readonly target: Target;
}

/** How long the engine waits. Milliseconds. */
export interface RolloutTimeouts {
  /** For the answer to a command. */
  readonly responseMs: number;
  /** For settings to be applied: several requests, and a new connection. */
  readonly settingsMs: number;
  /** For any sign of progress after the router accepted the step. */
  readonly quietMs: number;
  /** For the restart into the applied file. */
  readonly restartMs: number;
  /** How often a step is sent without any sign of progress. */
  readonly sends: number;
  /** How many restarts during a step, and absences while settings are applied, lead to sending it again without progress in between. */
  readonly interruptions: number;
  /** For a router that answers that it is busy. */
  readonly busyMs: number;
  /** For a router to begin after it was given a place among the downloads. */
  readonly placeMs: number;
}

export const defaultRolloutTimeouts: RolloutTimeouts = {
  responseMs: 30_000,
  settingsMs: 180_000,
  quietMs: 900_000,
  restartMs: 600_000,
  sends: 3,
  interruptions: 5,
  busyMs: 86_400_000,
  placeMs: 30_000,
};

const finished: ReadonlySet<rollouts.TargetState> = new Set(['successful', 'failed', 'rolled-back', 'unsupported']);

/** The engine changes nothing more by itself. */
export function isFinished({ state }: Pick<Target, 'state'>): boolean {
  return finished.has(state);
}

/** An uptime is reported in whole seconds and converted to our clock. */
const UPTIME_BLUR_MS = 10_000;

/**
 * Whether the router has restarted since a time, by its Boot! event. A delayed event is recognized by the uptime, which alone says it
 * where no Boot! comes since subscriptions end with a restart.
 */
export function hasBootedSince({ boot_heard_at: bootEventAt, booted_at: booted, subscribed }: Reported, moment: Date): boolean {
  if (subscribed === false && Date.parse(booted ?? '') > moment.getTime() + UPTIME_BLUR_MS) return true;
  if (bootEventAt === undefined || Date.parse(bootEventAt) < moment.getTime()) return false;
  return booted === undefined || booted === null || Date.parse(booted) >= moment.getTime() - UPTIME_BLUR_MS;
}

/** Whether the slot that an image was sent for is no longer the idle one. */
export function runsItsSlot({ idle_slot: idle }: Reported, { slot }: Pick<Target, 'slot'>): boolean {
  return (idle ?? slot) !== slot;
}

/** No step is under way. */
export const noRolloutStep = {
  phase: 'idle',
  stepKey: null,
  slot: null,
  begunAt: null,
  sentAt: null,
  takenAt: null,
  sends: 0,
  interruptions: 0,
  busySince: null,
} as const;

/** Whether the router has restarted since it had what the restart is for: the end of its download, or the choice for its next boot. */
export function isRestarted({ reported, target }: Pick<Facts, 'reported' | 'target'>): boolean {
  return target.begunAt !== null && hasBootedSince(reported, target.begunAt);
}

/** Whether it started the downloaded image since then, and went back to the other one. */
export function hasFailedTrial(facts: Pick<Facts, 'reported' | 'target'>): boolean {
  return isRestarted(facts) && facts.reported.idle_status === 'ActivationFailed';
}
