import { notifications } from '@highline/contract';
import type { Routes } from '../../platform/calls/call.ts';
import { streamList } from '../../platform/calls/json-stream.ts';
import { limitOf } from '../../platform/listing/index.ts';
import { pageUndelivered, streamUndelivered } from './mails.queries.ts';
import { sendAgain, type MailServiceDeps } from './mails.service.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type MailRoutesDeps = MailServiceDeps & Pick<Deps, 'reader' | 'streams'>;

/** Registers the operations on undelivered mails. */
export function registerMailRoutes(routes: Routes, deps: MailRoutesDeps): void {
  const { reader, streams } = deps;

  routes.on(notifications.listUndelivered, async ({ scope, query }) => {
    const limit = limitOf(query);
    if (limit === undefined) return streamList(streamUndelivered(streams, scope));
    return pageUndelivered(reader, scope, query, limit);
  });

  routes.on(notifications.sendAgain, async ({ scope, actor, body }) => ({
    result: { queued: await sendAgain(deps, scope, actor, body.ids) },
  }));
}
