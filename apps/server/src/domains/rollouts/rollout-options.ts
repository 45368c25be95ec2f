import { rollouts } from '@highline/contract';
import type { BindingContent } from './bindings.store.ts';
import { waveRulesOf, type WaveInput } from './waves.ts';

/** What was chosen for a rollout. */
export interface OptionsInput extends WaveInput {
  /** When routers may begin; null = at any time, left out = as it is for the same file. */
  readonly window?: rollouts.UpdateWindow | null | undefined;
  readonly failureThreshold?: number | undefined;
  readonly canaries?: number | undefined;
}

/**
 * The options of a binding: what is left out is as in the binding before it, waves and window only for the same file.
 * @throws DomainError `binding.waves`
 */
export function optionsOf(
  input: OptionsInput,
  { fileId, number }: Pick<BindingContent, 'fileId' | 'number'>,
  present: BindingContent | undefined,
): Pick<BindingContent, 'failureThreshold' | 'canaries' | 'waves' | 'window'> {
  const failureThreshold = input.failureThreshold ?? present?.failureThreshold ?? rollouts.DEFAULT_FAILURE_THRESHOLD;
  const canaries = input.canaries ?? present?.canaries ?? rollouts.DEFAULT_CANARIES;
  const before = present?.fileId === fileId && present.number === number ? present : undefined;
  const isAsBefore = input.waves === undefined && input.canaries === undefined;
  return {
    failureThreshold,
    canaries,
    waves: waveRulesOf(input, canaries) ?? (isAsBefore ? (before?.waves ?? null) : null),
    window: input.window === undefined ? (before?.window ?? null) : input.window,
  };
}
