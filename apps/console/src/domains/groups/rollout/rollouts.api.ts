import { rollouts } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { searchQuery } from '../../../ui/list/spec.ts';

export type Rollout = rollouts.Rollout;
export type Target = rollouts.RolloutTarget;
export type TargetState = rollouts.TargetState;

/** The rollouts of a group: firmware, config file and settings. @param group undefined = that of the settings of the organization */
export const rolloutsQuery = (group: string | undefined) =>
  queryOptions({
    queryKey: ['rollouts', 'of', group],
    queryFn: async ({ signal }) =>
      (await call(rollouts.listRollouts, { query: group === undefined ? {} : { group }, signal })).result,
    refetchInterval: 60_000,
    meta: { topics: ['rollouts', 'groups'] },
  });

/** The part of a rollout's routers that is shown. */
export interface TargetView {
  readonly page: number;
  readonly size: number;
  readonly sort: 'state' | '-state' | 'serial' | '-serial' | 'updated' | '-updated' | undefined;
  readonly field: 'serial' | 'vehicle';
  readonly search: string | undefined;
  readonly ignoreCase: 'true' | undefined;
}

/** One page of a rollout's routers, with the number of matches. */
export async function fetchTargets(rollout: string, view: TargetView, state: TargetState | undefined, signal: AbortSignal) {
  const { page, size, sort } = view;
  const query = { rollout, state, sort, ...searchQuery(view, 'serial'), offset: (page - 1) * size, limit: size };
  const response = await call(rollouts.listTargets, { query, signal });
  return { rows: response.result, total: response.total ?? response.result.length };
}

/** One page of a rollout's routers. */
export const targetsQuery = (rollout: string, view: TargetView, state: TargetState | undefined) =>
  queryOptions({
    queryKey: ['rollouts', 'targets', rollout, state, view.page, view.size, view.sort, searchQuery(view, 'serial')],
    queryFn: ({ signal }) => fetchTargets(rollout, view, state, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    meta: { topics: ['rollouts'] },
  });

export type RolloutAction = 'pause' | 'resume' | 'cancel' | 'retry';

/** Pause, resume or cancel a rollout, or try exactly the failed routers again. */
export async function controlRollout(rollout: string, action: RolloutAction): Promise<void> {
  await call(rollouts.controlRollout, { body: { rollout, action } });
}

/** Let the waves of a rollout begin up to this one: a later one than now goes on, an earlier one cuts back. */
export async function openWave(rollout: string, wave: number): Promise<void> {
  await call(rollouts.controlRollout, { body: { rollout, action: 'wave', wave } });
}
