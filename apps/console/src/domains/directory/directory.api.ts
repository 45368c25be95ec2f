import { scim } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

export type DirectoryState = scim.ScimDirectory;
export type GroupChoice = Pick<scim.ScimGroup, 'id' | 'role'>;

/** The directory of the own organization. */
export const directoryQuery = queryOptions({
  queryKey: ['directory'],
  queryFn: async ({ signal }): Promise<DirectoryState | null> => (await call(scim.getDirectory, { query: {}, signal })).result,
  meta: { topics: ['scim', 'accounts'] },
});

export interface RolesDraft {
  readonly defaultRole: string;
  readonly groups: readonly GroupChoice[];
}

/** @throws ApiError `scim.group_not_found`, `conflict.stale` */
export async function saveRoles({ defaultRole, groups }: RolesDraft, etag: string | undefined): Promise<DirectoryState> {
  const body = { defaultRole: defaultRole === 'none' ? ('none' as const) : ('user' as const), groups: [...groups] };
  return (await call(scim.saveDirectoryRoles, { body, ...(etag !== undefined && { ifMatch: `"${etag}"` }) })).result;
}

export interface SecretDraft {
  readonly name: string;
  readonly days: string;
}

/** @returns the secret, which is shown this once @throws ApiError `scim.too_many` */
export async function createSecret({ name, days }: SecretDraft): Promise<string> {
  return (await call(scim.createDirectorySecret, { body: { name, days: Number(days) } })).secret;
}

/** @throws ApiError `scim.secret_not_found` */
export const revokeSecret = (id: string) => call(scim.revokeDirectorySecret, { params: { secret: id }, body: {} });
