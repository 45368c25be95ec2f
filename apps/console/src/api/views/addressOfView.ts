import type { Role, views } from '@highline/contract';

/** The pages of the lists that have views. */
const listPaths = {
  devices: '/devices/list',
  'org-devices': '/devices/orgList',
  service: '/devices/service',
  firmware: '/groups/firmwares',
  configs: '/groups/config',
  colleagues: '/colleagues',
  jobs: '/jobs',
  'api-keys': '/api-keys',
  esims: '/devices/esimsList',
  groups: '/groups/list',
  users: '/users',
  inventory: '/inventory',
  logs: '/logs',
  organizations: '/organization',
} as const satisfies Readonly<Record<views.ViewList, string>>;

type ListPath = (typeof listPaths)[views.ViewList] | '/firmware';

/** The address by which a view opens, also for a colleague: its filters are in it, so that they show even where the view does not. */
export function addressOfView({ id, list, content }: Pick<views.SavedView, 'id' | 'list' | 'content'>, role: Role) {
  return { to: pathOf(list, role), search: { ...content.search, view: id } };
}

function pathOf(list: views.ViewList, role: Role): ListPath {
  return list === 'firmware' && role === 'main' ? '/firmware' : listPaths[list];
}

/** The page of a list by its id, for a role; the start page for one that this console does not know. */
export function pathOfList(list: string, role: Role): ListPath | '/' {
  return list in listPaths ? pathOf(list as views.ViewList, role) : '/';
}
