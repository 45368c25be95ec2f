import { notifications } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { ifMatch } from '../../platform/calls/entity-tag.ts';
import { streamList } from '../../platform/calls/json-stream.ts';
import { limitOf } from '../../platform/listing/index.ts';
import { pageRecipients, readRecipient, streamRecipients } from './recipient-list.queries.ts';
import { deleteRecipients, saveRecipient, type RecipientServiceDeps } from './recipients.service.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type NotificationRoutesDeps = RecipientServiceDeps & Pick<Deps, 'reader' | 'streams'>;

/** One store for the notification screen (SVC-02) and the switch of an admin's account (USR-05). */
export function registerNotificationRoutes(routes: Routes, deps: NotificationRoutesDeps): void {
  const { reader, streams } = deps;

  routes.on(notifications.listRecipients, async ({ scope, query }) => {
    const limit = limitOf(query);
    if (limit === undefined) return streamList(streamRecipients(streams, scope, query));
    return pageRecipients(reader, scope, query, limit);
  });

  routes.on(notifications.saveRecipient, async ({ scope, actor, body, request, reply }) => {
    const read = () => readRecipient(reader, scope, body.mail);
    try {
      await saveRecipient(deps, scope, actor, body, ifMatch(request.headers['if-match']));
    } catch (error) {
      // A stale save is answered with the current values (DECISIONS, Concurrent edits).
      const isStale = error instanceof DomainError && error.key === 'conflict.stale';
      throw isStale ? new DomainError('conflict.stale', { detail: await read() }) : error;
    }
    const saved = await read();
    reply.header('etag', `"${saved.version}"`);
    return { result: saved };
  });

  routes.on(notifications.deleteRecipients, async ({ scope, actor, body }) => ({
    result: { deleted: await deleteRecipients(deps, scope, actor, body.mails) },
  }));
}
