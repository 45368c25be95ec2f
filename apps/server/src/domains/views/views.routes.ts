import { views } from '@highline/contract';
import { ifMatch, tagResponse, type Routes } from '../../platform/calls/index.ts';
import { addView, deleteView, listViews, saveView, type ViewDeps } from './views.service.ts';

/** Registers saved views of lists (BLK-03). */
export function registerViewRoutes(routes: Routes, deps: ViewDeps): void {
  routes.on(views.listViews, async ({ scope, actor }) => ({ result: await listViews(deps, scope, actor) }));

  routes.on(views.addView, async ({ scope, actor, body }) => ({ result: await addView(deps, scope, actor, body) }));

  routes.on(views.saveView, async ({ scope, actor, params, body, request, reply }) => {
    const result = await saveView(deps, scope, actor, params.view, body, ifMatch(request.headers['if-match']));
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(views.deleteView, async ({ scope, actor, params }) => {
    await deleteView(deps, scope, actor, params.view);
    return { result: { deleted: 1 as const } };
  });
}
