import { remoteAccess, rollouts, timeline } from '@highline/contract';
import type { Tone } from '../../../ui/StatusDot.tsx';
import type { ItemOf, TimelineItem, TimelineKind } from './timeline.api.ts';

/** The kind in an address; undefined for an unknown one. */
export function kindOf(raw: unknown): TimelineKind | undefined {
  return timeline.timelineKinds.find((kind) => kind === raw);
}

const states = ['ended', ...rollouts.targetStates] as const;
/** A step state that has a translation. */
export type StepState = (typeof states)[number];

/** Undefined for a state that is newer than this console. */
export function stepStateOf(state: string): StepState | undefined {
  return states.find((known) => known === state);
}

/** The code of a step's reason; undefined for the router's own message. */
export function stepReasonOf(reason: string): rollouts.RolloutReason | undefined {
  return rollouts.rolloutReasons.find((known) => known === reason);
}

/** Causes of a boot, as TR-181 names them, that have a translation. */
export const bootCauses = ['LocalReboot', 'RemoteReboot', 'LocalFactoryReset', 'RemoteFactoryReset', 'boot'] as const;

/** Undefined for a cause that is the router's own. */
export function bootCauseOf(reason: string): (typeof bootCauses)[number] | undefined {
  return bootCauses.find((known) => known === reason);
}

/** Alarms that have a translation. */
export const alarmNames = [
  'BATTERY_LOW',
  'BATTERY_LOW_CLEAR',
  'THERMAL_5G_PROTECT',
  'THERMAL_5G_PROTECT_CLEAR',
  'DEVICE_ADMIN_CHANGE_PASSWORD',
  'DEVICE_FACTORY_RESET',
  'UPLINK',
] as const;

/** Undefined for an event that is newer than this console. */
export function alarmNameOf(event: string): (typeof alarmNames)[number] | undefined {
  return alarmNames.find((known) => known === event);
}

/** Why an eSIM step failed, where the reason has a translation. */
export const profileReasons = [
  'no-answer',
  'unsupported',
  'out-of-memory',
  'download-failed',
  'iccid-mismatch',
  'eid-mismatch',
  'unreachable',
  'invalid-code',
  'wrong-confirmation',
  'activation-failed',
  'gone',
] as const;

/** The code at the start of a reason; undefined for the router's own message. */
export function profileReasonOf(reason: string): (typeof profileReasons)[number] | undefined {
  return profileReasons.find((known) => reason === known || reason.startsWith(`${known}:`));
}

const outcomes = ['rejected', 'unsupported', 'no-answer', 'failed'] as const;

/** How the router answered a user's request, if it did not simply execute it. */
export function outcomeOf(outcome: string): (typeof outcomes)[number] | undefined {
  return outcomes.find((known) => known === outcome);
}

const profileTones: Readonly<Record<ItemOf<'sim'>['state'], Tone>> = {
  downloaded: 'download',
  'in-use': 'ok',
  failed: 'bad',
  deleted: 'idle',
};

/** The code of why a remote session ended; undefined for one without a translation. */
export function endReasonOf(reason: string): remoteAccess.EndReason | undefined {
  return remoteAccess.endReasons.find((known) => known === reason);
}

const connectionTones: Readonly<Record<ItemOf<'connection'>['event'], Tone>> = {
  online: 'ok',
  offline: 'idle',
  boot: 'busy',
  cloned: 'bad',
};

const stepTones: Readonly<Record<StepState, Tone>> = {
  waiting: 'idle',
  downloading: 'download',
  verifying: 'busy',
  applying: 'busy',
  rebooting: 'busy',
  successful: 'ok',
  failed: 'bad',
  'rolled-back': 'warn',
  unsupported: 'unknown',
  ended: 'idle',
};

/** The tone of an item, in addition to its text. */
export function toneOf(item: TimelineItem): Tone {
  switch (item.kind) {
    case 'connection':
      return connectionTones[item.event];
    case 'rollout':
      return stepTones[stepStateOf(item.state) ?? 'waiting'];
    case 'action':
      return outcomeOf(item.outcome) === undefined ? 'busy' : 'bad';
    case 'alarm':
      return item.state === 'cleared' ? 'ok' : 'bad';
    case 'sim':
      return profileTones[item.state];
    case 'geofence':
      return 'busy';
    case 'alert':
      return item.state === 'firing'
        ? item.severity === 'critical'
          ? 'bad'
          : 'warn'
        : item.state === 'resolved'
          ? 'ok'
          : 'busy';
    case 'remote':
      return item.state === 'ended' ? 'idle' : 'busy';
  }
}
