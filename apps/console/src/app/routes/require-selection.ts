import type { Role } from '@highline/contract';
import { redirect } from '@tanstack/react-router';
import type { Session } from '../../api/session.ts';

type EntityList =
  | '/devices/esimsList'
  | '/devices/list'
  | '/devices/orgList'
  | '/groups/config'
  | '/groups/list'
  | '/inventory'
  | '/jobs'
  | '/organization'
  | '/users'
  | '/webhooks';

/** The guard of a page about one entity: if the address does not name it, to the list (NAV-05). */
export function requireSelection<Name extends string>(name: Name, list: (role: Role) => EntityList) {
  return ({ search, context }: { search: { readonly [Each in Name]?: string | undefined }; context: { session: Session } }) => {
    if (search[name] === undefined) throw redirect({ to: list(context.session.role), search: {}, replace: true });
  };
}
