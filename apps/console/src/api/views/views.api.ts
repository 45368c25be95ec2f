import { views } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';

export type SavedView = views.SavedView;
export type ViewContent = views.ViewContent;

/** Saved views of all lists: the user's own, and those that are shared (BLK-03). */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await call(views.listViews, { query: {}, signal })).result,
  staleTime: 60_000,
  meta: { topics: ['views', 'groups', 'organizations'] },
});

/** Those of an organization. @param org chosen by the main account; by default the user's own */
export const viewsOf = (org: string | undefined) =>
  org === undefined
    ? viewsQuery
    : queryOptions({
        ...viewsQuery,
        queryKey: ['views', org],
        queryFn: async ({ signal }) => (await call(views.listViews, { query: { org }, signal })).result,
      });

export async function addView(view: Pick<SavedView, 'list' | 'name' | 'shared' | 'content'>): Promise<SavedView> {
  return (await call(views.addView, { body: view })).result;
}

export type ViewEdit = Partial<Pick<SavedView, 'name' | 'shared' | 'content' | 'isDefault'>>;

/** @throws ApiError `conflict.stale` if the view is no longer as it was read: what someone else saved is not overwritten */
export async function saveView({ id, version }: Pick<SavedView, 'id' | 'version'>, edit: ViewEdit): Promise<SavedView> {
  return (await call(views.saveView, { params: { view: id }, body: edit, ifMatch: `"${version}"` })).result;
}

export async function deleteView({ id }: Pick<SavedView, 'id'>): Promise<void> {
  await call(views.deleteView, { params: { view: id } });
}
