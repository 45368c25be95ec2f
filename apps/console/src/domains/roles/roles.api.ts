import { roles } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';
import { type LimitDraft, limitOf } from '../api-keys/index.ts';

export type OwnRole = roles.OwnRole;
export type ShownRole = CallResponse<typeof roles.showRole>['result'];

/** The fields of a role, as a person enters them. */
export interface RoleDraft extends LimitDraft {
  readonly name: string;
  readonly rights: readonly string[];
}

const whose = (org: string | null | undefined) => (org === undefined || org === null ? {} : { org });

/** One page of the roles, the newest first. */
export const fetchRoles = pagesOf(roles.listRoles);

/** Every role of an organization, or of the main account itself. */
export const ownRolesQuery = (org?: string) =>
  queryOptions({
    queryKey: ['roles', 'all', org],
    queryFn: async ({ signal }) =>
      (await call(roles.listRoles, { query: { limit: roles.MOST_ROLES, offset: 0, ...whose(org) }, signal })).result,
    meta: { topics: ['roles'] },
  });

/** The rights that the person may give a role of an organization, or of a main account, and those that only admins of the organization give. */
export const rightsQuery = (org: string | null | undefined) =>
  queryOptions({
    queryKey: ['roles', 'rights', org],
    queryFn: ({ signal }) => call(roles.listRights, { query: whose(org), signal }),
    staleTime: Infinity,
    meta: { topics: ['accounts'] },
  });

/** A role with the people who have it. */
export const roleQuery = ({ id, org }: Pick<OwnRole, 'id' | 'org'>) =>
  queryOptions({
    queryKey: ['roles', 'one', id],
    queryFn: async ({ signal }) => (await call(roles.showRole, { params: { role: id }, query: whose(org), signal })).result,
    meta: { topics: ['roles', 'accounts'] },
  });

const fieldsOf = ({ name, rights, ...limit }: RoleDraft) => ({ name, rights: [...rights], limitedTo: limitOf(limit) });

/** @throws ApiError `role.name_taken`, `role.too_many` */
export async function createRole(draft: RoleDraft, org: string | undefined): Promise<OwnRole> {
  return (await call(roles.createRole, { body: { ...whose(org), ...fieldsOf(draft) } })).result;
}

/** @throws ApiError `conflict.stale` when another person saved in the meantime */
export async function saveRole({ id, org }: OwnRole, draft: RoleDraft, version: string): Promise<OwnRole> {
  const input = { params: { role: id }, body: { ...whose(org), ...fieldsOf(draft) }, ifMatch: `"${version}"` };
  return (await call(roles.saveRole, input)).result;
}

/** @param instead the role that its people get, or 'user'; undefined where no one has it */
export async function deleteRole({ id, org }: OwnRole, instead: string | undefined): Promise<void> {
  await call(roles.deleteRole, { params: { role: id }, body: { ...whose(org), ...(instead !== undefined && { instead }) } });
}

/** Give a person an own role; null = none. */
export async function giveRole(id: string, role: string | null): Promise<void> {
  await call(roles.giveRole, { params: { id }, body: { role } });
}
