import { visits as calls } from '@highline/contract';
import { required, type Actor } from '../../kernel/index.ts';
import type { Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { findVisit, toVisitDto, visitList } from './visits.queries.ts';
import { type VisitDeps } from './adding-visitors.ts';
import { endVisit, enterVisit, hostOf, leaveVisit, openVisit } from './visits.service.ts';

export interface VisitRoutesDeps extends VisitDeps, Pick<Deps, 'reader' | 'streams'> {
  /** Scheme, name and port of mailed links; undefined = those of the request. */
  readonly publicUrl: string | undefined;
}

/** Registers the calls of support and guests (IAM-05). */
export function registerVisitRoutes(routes: Routes, deps: VisitRoutesDeps): void {
  const { database, clock } = deps;
  const respond = async (actor: Actor, id: string) => {
    const row = required(await findVisit(database.read, hostOf(actor), id), 'visit.not_found');
    return { result: toVisitDto(row, actor, clock.now()) };
  };

  routes.on(calls.listVisits, async ({ actor, query }) => {
    const { mainAccountId, organizationId, role } = actor;
    const isHost = role === 'admin' && organizationId !== null;
    const scope = isHost ? hostOf(actor) : ({ kind: 'main', mainAccountId } as const);
    return visitList(actor, clock.now()).respond(deps, scope, query);
  });

  routes.on(calls.openVisit, async ({ actor, body, request }) => {
    const origin = deps.publicUrl ?? `${request.protocol}://${request.host}`;
    return respond(actor, await openVisit(deps, actor, { ...body, origin }));
  });

  routes.on(calls.endVisit, async ({ actor, params }) => {
    await endVisit(deps, actor, params.visit);
    return respond(actor, params.visit);
  });

  routes.on(calls.enterVisit, async ({ actor, params }) => {
    await enterVisit(deps, actor, params.visit);
    return { result: { entered: true as const } };
  });

  routes.on(calls.leaveVisit, async ({ actor }) => {
    await leaveVisit(deps, actor);
    return { result: { left: true as const } };
  });
}
