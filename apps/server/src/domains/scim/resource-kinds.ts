import type { Directory } from './directory.ts';
import { createGroup, deleteGroup, getGroup, groupVersionOf, patchGroup, replaceGroup, toGroup } from './groups.ts';
import { listDirectoryGroups } from './group-lists.ts';
import type { Document } from './resource.ts';
import type { ProtocolDeps } from './responses.ts';
import { groupType, userType, type ResourceType } from './schemas.ts';
import { createUser, deleteUser, getUser, patchUser, replaceUser } from './users.ts';
import { listUsers } from './user-lists.ts';
import { toUser, versionOf } from './user-documents.ts';

/** A kind of resources as the endpoints need it. */
export interface Kind {
  readonly type: ResourceType;
  list: typeof listUsers;
  create: typeof createUser;
  replace: typeof replaceUser;
  patch: typeof patchUser;
  remove: typeof deleteUser;
  read(
    deps: ProtocolDeps,
    directory: Directory,
    id: string,
    base: string,
  ): Promise<{ readonly resource: Document; readonly version: string }>;
}

export const users: Kind = {
  type: userType,
  list: listUsers,
  create: createUser,
  replace: replaceUser,
  patch: patchUser,
  remove: deleteUser,
  async read(deps, directory, id, base) {
    const row = await getUser(deps, directory, id);
    return { resource: toUser(row, base), version: versionOf(row) };
  },
};

export const groups: Kind = {
  type: groupType,
  list: listDirectoryGroups,
  create: createGroup,
  replace: replaceGroup,
  patch: patchGroup,
  remove: deleteGroup,
  async read(deps, directory, id, base) {
    const row = await getGroup(deps, directory, id);
    return { resource: toGroup(row, base), version: groupVersionOf(row) };
  },
};
