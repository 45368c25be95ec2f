import { groups, rollouts } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallResponse, callTagged } from '../../api/client.ts';
import { nullIfMissing } from '../../api/errors.ts';

export type Group = groups.Group;
/** A group with its number and the state of its routers. */
export type GroupDetails = CallResponse<typeof groups.getGroup>['result'];

const whose = (org: string | undefined) => (org === undefined ? {} : { org });

/** The number of groups offered at once; a text narrows them down. */
const OFFERED = 20;

/** Groups whose name contains a text. @param org the organization; by default the user's own */
export const groupChoices = (search: string, org?: string) =>
  queryOptions({
    queryKey: ['groups', 'offered', search, org],
    queryFn: async ({ signal }) => {
      const filter = search === '' ? {} : { search, field: 'group' as const, ignoreCase: 'true' as const };
      const page = { limit: OFFERED, offset: 0, sort: 'name' } as const;
      const response = await call(groups.listGroups, { query: { ...filter, ...page, ...whose(org) }, signal });
      return { options: response.result, total: response.total ?? response.result.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['groups'] },
  });

/** A group with the ETag a save must be based on. Null = it does not exist. */
export const groupQuery = (group: string, org?: string) =>
  queryOptions({
    queryKey: org === undefined ? ['groups', 'one', group] : ['groups', 'one', group, org],
    queryFn: ({ signal }) =>
      nullIfMissing(async () => {
        const { response, etag } = await callTagged(groups.getGroup, { params: { group }, query: whose(org), signal });
        return { group: response.result, etag };
      }),
    meta: { topics: ['groups', 'rollouts'] },
  });

/** What devices that join a group get immediately from its bindings. @param from groups of which all devices join */
export async function fetchMoveImpact(body: {
  readonly group: string;
  readonly add?: string[];
  readonly from?: string[];
}): Promise<rollouts.Arrivals> {
  return (await call(rollouts.moveImpact, { body })).result;
}
