import type { Person } from './calls.ts';

/** The role of a person as lists and files show it: the name of one that the company made, or one of every organization; none = no access. */
export function shownRole({
  roles,
  role,
  ownRole,
}: Pick<Person, 'roles' | 'role' | 'ownRole'>): { readonly own: string } | 'admin' | 'user' | 'none' {
  if (roles.length === 0) return 'none';
  return ownRole === null ? (role === 'super' ? 'admin' : 'user') : { own: ownRole.name };
}
