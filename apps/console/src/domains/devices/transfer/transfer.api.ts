import { organizations } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

/** An organization that devices can be given to. */
export interface Target {
  readonly id: string;
  readonly name: string;
}

/** As many as a list can offer; the search finds the others. */
const SHOWN = 50;

/** Organizations to choose from, by name, found on the server. */
export const targetChoices = (search: string) =>
  queryOptions({
    queryKey: ['organizations', 'targets', search],
    queryFn: async ({ signal }) => {
      const filter = search === '' ? {} : ({ search, field: 'name', ignoreCase: 'true' } as const);
      const query = { ...filter, limit: SHOWN, offset: 0, sort: 'name' } as const;
      const { result, total } = await call(organizations.listOrganizations, { query, signal });
      return { list: result.list, total: total ?? result.list.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['organizations'] },
  });

export interface Transfer {
  readonly target: string;
  readonly serials: readonly string[];
}

const bodyOf = ({ target, serials }: Transfer) => ({ target, serials: [...serials] });

/** What the target starts on the devices, and what they lose; nothing is written. */
export const transferImpact = (transfer: Transfer) =>
  queryOptions({
    queryKey: ['organizations', 'transfer', transfer],
    queryFn: ({ signal }) => call(organizations.transferDevices, { body: bodyOf(transfer), query: { dryRun: '1' }, signal }),
    // Always read from the server, and again while it is shown.
    staleTime: 0,
    gcTime: 0,
    meta: { topics: ['devices', 'groups'] },
  });

/**
 * Transfer devices to another organization, all or none (OGL-04).
 * @param confirmed `confirmation` of the impact that the user has seen
 * @returns how many changed their organization
 */
export async function transferDevices(transfer: Transfer, confirmed: string): Promise<number> {
  return (await call(organizations.transferDevices, { body: bodyOf(transfer), query: { confirmed } })).result.transferred;
}
