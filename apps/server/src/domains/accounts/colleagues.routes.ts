import { colleagues } from '@highline/contract';
import type { Routes } from '../../platform/calls/call.ts';
import { colleagueList } from './colleagues.queries.ts';
import type { UserRoutesDeps } from './users.routes.ts';
import { inLanguageOf } from './privilege.ts';

/** Users of the main account itself. */
export function registerColleagueRoutes(routes: Routes, deps: UserRoutesDeps): void {
  const { service, originOf } = deps;

  routes.on(colleagues.listColleagues, async ({ scope, query, request }) =>
    colleagueList(request).accountResponse(deps, scope, query),
  );

  routes.on(colleagues.inviteColleague, async ({ actor, scope, body, request }) => {
    const { email, name, language = 'en-US' } = body;
    const invited = await service.inviteColleague(actor, scope, { email, name, language, origin: originOf(request) });
    return { result: inLanguageOf(request, invited) };
  });

  routes.on(colleagues.deleteColleague, async ({ actor, scope, params }) => {
    await service.removeColleague(actor, scope, params.id);
    return { result: { deleted: 1 } };
  });
}
