import { notifications } from '@highline/contract';
import { sendVersioned, type Routes } from '../../platform/calls/index.ts';
import { readRecipient, recipientList } from './recipient-list.queries.ts';
import { deleteRecipients, saveRecipient, type RecipientServiceDeps } from './recipients.service.ts';
import { sendTestMail, type TestMailDeps } from './test-mail.service.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type NotificationRoutesDeps = RecipientServiceDeps & TestMailDeps & Pick<Deps, 'reader' | 'streams'>;

/** One store for the notification screen (SVC-02) and the switch of an admin's account (USR-05). */
export function registerNotificationRoutes(routes: Routes, deps: NotificationRoutesDeps): void {
  routes.on(notifications.listRecipients, async ({ scope, query }) => recipientList.respond(deps, scope, query));

  routes.on(notifications.saveRecipient, (call) => {
    const { scope, actor, body } = call;
    return sendVersioned(
      call,
      (isCurrent) => saveRecipient(deps, scope, actor, body, isCurrent),
      () => readRecipient(deps.reader, scope, body.mail),
    );
  });

  routes.on(notifications.sendTestMail, async ({ scope, actor }) => ({ result: await sendTestMail(deps, scope, actor) }));

  routes.on(notifications.deleteRecipients, async ({ scope, actor, body }) => ({
    result: { deleted: await deleteRecipients(deps, scope, actor, body.mails) },
  }));
}
