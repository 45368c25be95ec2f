import { rollouts } from '@highline/contract';

/** A vehicle that was chosen to go first. */
export interface FirstVehicle {
  readonly device: string;
  readonly name: string;
}

/** What goes first: a number of routers, or those chosen. */
export const firstKinds = ['count', 'devices', 'tag', 'view'] as const;
export type FirstKind = (typeof firstKinds)[number];

/** Percent of the other routers that have begun with each wave but the last. */
export const sharePresets = { all: [], half: [50], quarters: [25, 50, 75], rising: [10, 50] } as const;
export type SharePreset = keyof typeof sharePresets;

/** The options of the next rollout of a group (WIN-01). */
export interface RolloutDraft {
  readonly first: FirstKind;
  readonly devices: readonly FirstVehicle[];
  readonly tag: string;
  /** Id of a saved view. */
  readonly view: string;
  readonly rule: rollouts.WaveRule;
  /** As typed. */
  readonly hours: string;
  readonly shares: SharePreset;
}

export const emptyRollout: RolloutDraft = {
  first: 'count',
  devices: [],
  tag: '',
  view: '',
  rule: 'success',
  hours: '4',
  shares: 'all',
};

/** The part of a call that binds files. */
export interface RolloutInput {
  readonly first?: rollouts.FirstWave;
  readonly waves?: rollouts.WavePlan;
}

/** True for a whole number of hours that a rule can have. */
export function isWaveHours(text: string): boolean {
  return /^\d{1,3}$/u.test(text) && Number(text) >= 1 && Number(text) <= rollouts.MAX_WAVE_HOURS;
}

/**
 * The options as the call takes them; what is as before is left out.
 * @param first the routers that were chosen, from the view too; undefined = a number of them
 */
export function rolloutInput(draft: RolloutDraft, first: rollouts.FirstWave | undefined): RolloutInput {
  const { rule, hours } = draft;
  const shares = sharePresets[draft.shares];
  const hasWaves = rule !== 'success' || shares.length > 0;
  const plan = {
    rule,
    ...(rule === 'hours' ? { hours: Number(hours) } : {}),
    ...(shares.length > 0 ? { shares: [...shares] } : {}),
  };
  return {
    ...(first === undefined ? {} : { first }),
    ...(hasWaves ? { waves: plan } : {}),
  };
}
