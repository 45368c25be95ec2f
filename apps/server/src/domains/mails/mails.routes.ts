import { notifications } from '@highline/contract';
import type { Routes } from '../../platform/calls/call.ts';
import { noteBounce, type BounceDeps } from './bounces.service.ts';
import { undeliveredList } from './mails.queries.ts';
import { sendAgain, type MailServiceDeps } from './mails.service.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type MailRoutesDeps = MailServiceDeps & BounceDeps & Pick<Deps, 'reader' | 'streams'>;

/** Registers the operations on undelivered mails. */
export function registerMailRoutes(routes: Routes, deps: MailRoutesDeps): void {
  routes.on(notifications.listUndelivered, async ({ scope, query }) => undeliveredList.respond(deps, scope, query));

  routes.on(notifications.sendAgain, async ({ scope, actor, body }) => ({
    result: { queued: await sendAgain(deps, scope, actor, body.ids) },
  }));

  routes.on(notifications.noteBounce, async ({ body }) => ({ result: { outcome: await noteBounce(deps, body) } }));
}
