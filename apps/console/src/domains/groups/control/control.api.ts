import { groups } from '@highline/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../../api/client.ts';

export type Control = groups.GroupControl;
export type ControlRow = CallResponse<typeof groups.listControls>['result'][number];

const PAGE = 20;

/** The organization's users by email, with their permission for a group. */
export const controlsQuery = (group: string) =>
  infiniteQueryOptions({
    queryKey: ['groups', 'controls', group],
    queryFn: ({ pageParam, signal }) =>
      call(groups.listControls, {
        params: { group },
        query: { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    meta: { topics: ['groups', 'accounts'] },
  });

/** Grant a user Full Control of a group, or revoke it. */
export async function changeControl(group: string, account: string, control: Control): Promise<void> {
  await call(groups.changeControl, { params: { group }, body: { account, control } });
}
