import { links as calls } from '@highline/contract';
import type { Routes } from '../../platform/calls/index.ts';
import { links } from './links.queries.ts';
import { createLink, endLink, type LinkDeps } from './links.service.ts';
import type { OpenLinks } from './open-links.ts';

/** Registers the calls of links (RPM-06). */
export function registerLinkRoutes(routes: Routes, deps: LinkDeps, openLinks: Pick<OpenLinks, 'open'>): void {
  routes.on(calls.listLinks, async ({ scope, query }) => links.list(deps.clock.now()).respond(deps, scope, query));
  routes.on(calls.createLink, async ({ scope, actor, body }) => {
    const { id, token } = await createLink(deps, scope, actor, body);
    return { result: await links.get(deps, scope, id), token };
  });
  routes.on(calls.endLink, async ({ scope, actor, params }) => {
    await endLink(deps, scope, actor, params.link);
    return { result: { deleted: 1 } };
  });
  routes.on(calls.openLink, async ({ body, address }) => openLinks.open(body.token, body.first === true, address));
}
