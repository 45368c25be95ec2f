import { signInPolicy } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../api/client.ts';
import { partsOf } from '../../ui/form/separated.ts';

export type Policy = CallResponse<typeof signInPolicy.getPolicy>['result'];

/** The fields of the form; several networks and addresses are separated by commas. */
export interface PolicyDraft {
  readonly needsFactor: boolean;
  readonly idleMinutes: string;
  readonly lifetimeHours: string;
  readonly ranges: string;
  readonly excepted: string;
}

/** The rules of the own company. */
export const policyQuery = queryOptions({
  queryKey: ['sign-in-rules'],
  queryFn: async ({ signal }): Promise<Policy | null> => (await call(signInPolicy.getPolicy, { signal })).result,
  meta: { topics: ['accounts'] },
});

export const listOf = (text: string): string[] => [...new Set(partsOf(text))];

/** @throws ApiError `policy.excludes_you` unless confirmed, `policy.range_invalid`, `policy.excepted_missing`, `conflict.stale` */
export async function savePolicy(draft: PolicyDraft, etag: string | undefined, confirmed: boolean): Promise<Policy> {
  const body = {
    needsFactor: draft.needsFactor,
    idleMinutes: Number(draft.idleMinutes),
    lifetimeHours: Number(draft.lifetimeHours),
    ranges: listOf(draft.ranges),
    excepted: listOf(draft.excepted),
    ...(confirmed && { confirmed }),
  };
  return (await call(signInPolicy.savePolicy, { body, ...(etag !== undefined && { ifMatch: `"${etag}"` }) })).result;
}
