import type { views } from '@highline/contract';

/** The pages of the lists that have views. */
export const listPaths = {
  devices: '/devices/list',
  'org-devices': '/devices/orgList',
  esims: '/devices/esimsList',
  groups: '/groups/list',
  users: '/users',
  inventory: '/inventory',
  logs: '/logs',
  organizations: '/organization',
} as const satisfies Readonly<Record<views.ViewList, string>>;

/** The address by which a view opens, also for a colleague: its filters are in it, so that they show even where the view does not. */
export function addressOfView({ id, list, content }: Pick<views.SavedView, 'id' | 'list' | 'content'>) {
  return { to: listPaths[list], search: { ...content.search, view: id } };
}

/** The page of a list by its id; the start page for one that this console does not know. */
export function pathOfList(list: string): (typeof listPaths)[views.ViewList] | '/' {
  return list in listPaths ? listPaths[list as views.ViewList] : '/';
}
