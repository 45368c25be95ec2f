import { rollouts } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

export type Rollout = rollouts.Rollout;
export type Target = rollouts.RolloutTarget;
export type TargetState = rollouts.TargetState;

/** What is being rolled out to a group: firmware, a config file, both or nothing. */
export const rolloutsQuery = (group: string) =>
  queryOptions({
    queryKey: ['rollouts', 'of', group],
    queryFn: async ({ signal }) => (await call(rollouts.listRollouts, { query: { group }, signal })).result,
    refetchInterval: 60_000,
    meta: { topics: ['rollouts', 'groups'] },
  });

/** Which part of a rollout's routers shows. */
export interface TargetView {
  readonly page: number;
  readonly size: number;
  readonly sort: 'serial' | '-serial' | 'updated' | '-updated' | undefined;
  readonly field: 'serial' | 'vehicle';
  readonly search: string | undefined;
}

/** One page of a rollout's routers. */
export const targetsQuery = (rollout: string, { page, size, sort, field, search }: TargetView, state: TargetState | undefined) =>
  queryOptions({
    queryKey: ['rollouts', 'targets', rollout, state, page, size, sort, search === undefined ? undefined : field, search],
    queryFn: async ({ signal }) => {
      const narrowed = search === undefined ? {} : { search, field };
      const query = { rollout, state, sort, ...narrowed, offset: (page - 1) * size, limit: size };
      const answer = await call(rollouts.listTargets, { query, signal });
      return { rows: answer.result, total: answer.total ?? answer.result.length };
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    meta: { topics: ['rollouts'] },
  });

export type Steering = 'pause' | 'resume' | 'cancel' | 'retry';

/** Pause, resume or cancel a rollout, or try exactly the failed routers again. */
export async function steerRollout(rollout: string, action: Steering): Promise<void> {
  await call(rollouts.steerRollout, { body: { rollout, action } });
}
