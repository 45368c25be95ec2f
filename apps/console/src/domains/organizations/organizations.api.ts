import { organizations } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile } from '../../api/client.ts';
import type { Page, PageRequest } from '../../api/useList.ts';
import type { ListSearch } from '../../ui/list/spec.ts';
import type { organizationList } from './organizations.lists.ts';

export type Organization = organizations.Organization;
type Search = ListSearch<typeof organizationList>;

function narrowing({ sort, field, search }: Search) {
  return { sort, ...(search === undefined ? {} : { search, field: field ?? ('name' as const) }) };
}

/** One page of the organizations. */
export async function fetchOrganizations(search: Search, page: PageRequest, signal: AbortSignal): Promise<Page<Organization>> {
  const { limit, offset = 0 } = page;
  const answer = await call(organizations.listOrganizations, { query: { ...narrowing(search), limit, offset }, signal });
  return { rows: answer.result.list, total: answer.total ?? answer.result.list.length };
}

/** The same list as CSV (SHR-08). */
export function fetchOrganizationsFile(search: Search): Promise<Blob> {
  return callFile(organizations.exportOrganizations, { query: narrowing(search) });
}

/** One organization by its id; nothing is asked without one. */
export const organizationQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['organizations', 'one', id],
    queryFn: async ({ signal }) =>
      (await call(organizations.listOrganizations, { query: { id, limit: 1, offset: 0 }, signal })).result.list[0] ?? null,
    enabled: id !== undefined,
    meta: { topics: ['organizations'] },
  });
