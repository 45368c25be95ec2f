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
      const filter = search === '' ? {} : ({ search, field: 'name' } as const);
      const query = { ...filter, limit: SHOWN, offset: 0, sort: 'name' } as const;
      const { result, total } = await call(organizations.listOrganizations, { query, signal });
      return { list: result.list, total: total ?? result.list.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['organizations'] },
  });

/** Transfer devices to another organization, all or none (OGL-04). @returns how many changed their organization */
export async function transferDevices(input: { target: string; serials: readonly string[] }): Promise<number> {
  const body = { target: input.target, serials: [...input.serials] };
  return (await call(organizations.transferDevices, { body })).result.transferred;
}
