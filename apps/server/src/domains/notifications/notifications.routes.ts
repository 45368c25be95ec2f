import { notifications } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { ifMatch } from '../../platform/calls/entity-tag.ts';
import { streamList } from '../../platform/calls/json-stream.ts';
import { limitOf, type Reader, type RowStreams } from '../../platform/listing/index.ts';
import { pageSubscriptions, readSubscription, streamSubscriptions } from './subscriptions.queries.ts';
import { deleteSubscriptions, saveSubscription, type SubscriptionServiceDeps } from './subscriptions.service.ts';

export interface NotificationRoutesDeps extends SubscriptionServiceDeps {
  readonly reader: Reader;
  readonly streams: RowStreams;
}

/** One store for the notification screen (SVC-02) and the switch of an admin's account (USR-05). */
export function registerNotificationRoutes(routes: Routes, deps: NotificationRoutesDeps): void {
  const { reader, streams } = deps;

  routes.on(notifications.listSubscriptions, async ({ scope, query }) => {
    const limit = limitOf(query);
    if (limit === undefined) return streamList(streamSubscriptions(streams, scope, query));
    return pageSubscriptions(reader, scope, query, limit);
  });

  routes.on(notifications.saveSubscription, async ({ scope, actor, body, request, reply }) => {
    const read = () => readSubscription(reader, scope, body.mail);
    try {
      await saveSubscription(deps, scope, actor, body, ifMatch(request.headers['if-match']));
    } catch (error) {
      // A stale save is answered with the current values (DECISIONS, Concurrent edits).
      const isStale = error instanceof DomainError && error.key === 'conflict.stale';
      throw isStale ? new DomainError('conflict.stale', { detail: await read() }) : error;
    }
    const saved = await read();
    reply.header('etag', `"${saved.version}"`);
    return { result: saved };
  });

  routes.on(notifications.deleteSubscriptions, async ({ scope, actor, body }) => ({
    result: { deleted: await deleteSubscriptions(deps, scope, actor, body.mails) },
  }));
}
