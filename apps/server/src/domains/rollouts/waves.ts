import type { rollouts } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';

/** How a binding goes on from one wave to the next, as it is stored (WIN-01). */
export interface WaveRules {
  readonly rule: rollouts.WaveRule;
  readonly hours: number | null;
  readonly first: rollouts.FirstWave | null;
  /** Percent of the routers after the first that have begun with each further wave but the last. */
  readonly shares: readonly number[];
}

/** The input for the waves of a binding. */
export interface WaveInput {
  readonly first?: rollouts.FirstWave | undefined;
  readonly waves?: rollouts.WavePlan | null | undefined;
}

/**
 * The waves of a new binding; null = all routers at once, or after the canaries.
 * @param canaries how many routers go first if none are named
 * @throws DomainError `binding.waves` for hours without their rule or the other way round, shares that do not rise, and waves without routers that go first
 */
export function waveRulesOf({ first, waves }: WaveInput, canaries: number): WaveRules | null {
  if (first === undefined && (waves === undefined || waves === null)) return null;
  const { rule = 'success', hours = null, shares = [] } = waves ?? {};
  const isRising = shares.every((share, index) => index === 0 || share > shares[index - 1]!);
  const hasWaves = first !== undefined || canaries > 0 || shares.length > 0;
  if ((rule === 'hours') !== (hours !== null) || !isRising || !hasWaves)
    throw new DomainError('binding.waves', { field: 'waves' });
  return { rule, hours, first: first ?? null, shares };
}

/** A wave with the progress of its routers. */
export interface WaveProgress {
  readonly routers: number;
  readonly successful: number;
  /** Failed or rolled back. */
  readonly failed: number;
  /** They have no command for the file. */
  readonly unsupported: number;
  /** A step of theirs is under way. */
  readonly busy: number;
  /** Epoch seconds of the last success. */
  readonly lastSuccess: number | null;
}

/** What the next wave waits for, and when it begins if that is known; as `openDueWaves` decides it. */
export function waitOf(
  { rule, hours }: Pick<WaveRules, 'rule' | 'hours'>,
  waves: readonly WaveProgress[],
  open: number,
): Pick<rollouts.RolloutWaves, 'waits' | 'next'> {
  const current = waves[open];
  if (open >= waves.length - 1 || current === undefined) return { waits: null, next: null };
  if (current.routers === current.unsupported)
    return open === 0 ? { waits: 'empty', next: null } : { waits: 'routers', next: null };
  if (rule === 'person') return { waits: 'person', next: null };
  if (current.failed > 0) return { waits: 'failure', next: null };
  const isBegun = current.lastSuccess !== null && current.busy === 0;
  if (rule !== 'hours' || !isBegun) return { waits: 'routers', next: null };
  return { waits: 'hours', next: current.lastSuccess + (hours ?? 0) * 3_600 };
}

/** Routers of each wave after the first ones, of so many that follow. */
export function waveSizes(following: number, shares: readonly number[]): number[] {
  const begun = [...shares.map((share) => Math.ceil((following * share) / 100)), following];
  return begun.map((count, index) => count - (begun[index - 1] ?? 0));
}
