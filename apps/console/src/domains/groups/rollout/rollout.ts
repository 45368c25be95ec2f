import { rollouts } from '@highline/contract';
import type { Tone } from '../../../ui/StatusDot.tsx';
import type { Rollout, TargetState } from './rollouts.api.ts';

/** The tones of the states, in addition to their labels. */
export const stateTones: Readonly<Record<TargetState, Tone>> = {
  waiting: 'idle',
  downloading: 'download',
  verifying: 'busy',
  applying: 'busy',
  rebooting: 'busy',
  successful: 'ok',
  failed: 'bad',
  'rolled-back': 'warn',
  unsupported: 'unknown',
};

/** The bar from left to right: done, under way, waiting, not done. */
export const barOrder: readonly TargetState[] = [
  'successful',
  'rebooting',
  'applying',
  'verifying',
  'downloading',
  'waiting',
  'unsupported',
  'rolled-back',
  'failed',
];

/** Routers that retrying concerns: exactly the failed and the rolled back. */
export function retryable({ states }: Rollout): number {
  return states.failed + states['rolled-back'];
}

/** Routers whose step has ended, successfully or not: the base of the failure threshold. */
export function finished(rollout: Rollout): number {
  return rollout.states.successful + retryable(rollout);
}

/** The code of a reason; undefined for the router's own message. */
export function reasonCode(reason: string): rollouts.RolloutReason | undefined {
  return rollouts.rolloutReasons.find((known) => known === reason);
}
