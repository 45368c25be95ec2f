import { colleagues } from '@highline/contract';
import type { Routes } from '../../platform/calls/call.ts';
import { streamList } from '../../platform/calls/json-stream.ts';
import { limitOf } from '../../platform/listing/index.ts';
import { pageColleagues, streamColleagues } from './colleagues.queries.ts';
import type { UserRoutesDeps } from './users.routes.ts';
import { allInLanguageOf, inLanguageOf } from './privilege.ts';

/** Users of the main account itself. */
export function registerColleagueRoutes(routes: Routes, { service, reader, streams, originOf }: UserRoutesDeps): void {
  routes.on(colleagues.listColleagues, async ({ scope, query, request }) => {
    const limit = limitOf(query);
    if (limit === undefined) return streamList(allInLanguageOf(request, streamColleagues(streams, scope, query)), 'account');
    const { result, total } = await pageColleagues(reader, scope, query, limit);
    return { result: { list: result.list.map((one) => inLanguageOf(request, one)) }, total };
  });

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
