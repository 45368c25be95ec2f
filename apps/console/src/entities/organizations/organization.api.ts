import { organizations } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** One organization by its id; no call without an id. */
export const organizationQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['organizations', 'one', id],
    queryFn: async ({ signal }) =>
      (await call(organizations.listOrganizations, { query: { id, limit: 1, offset: 0 }, signal })).result.list[0] ?? null,
    enabled: id !== undefined,
    meta: { topics: ['organizations'] },
  });
