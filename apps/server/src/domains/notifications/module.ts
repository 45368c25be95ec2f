import type { Module } from '../../platform/modules/module.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { notifyEvents } from './event-mailer.ts';
import { purgeEvents } from './event-mailer.store.ts';
import { notifyExpiries } from './expiry.ts';
import { registerNotificationRoutes, type NotificationRoutesDeps } from './notifications.routes.ts';
import { silenceOrganization } from './recipients.store.ts';

type NotificationModuleDeps = NotificationRoutesDeps &
  Pick<Deps, 'database' | 'log'> & {
    /** Address of the console, without a trailing slash. */
    readonly origin: () => string;
  };

export const notificationsModule: Module<NotificationModuleDeps> = {
  /** Besides the calls: create mails as soon as something happens, within their throttle windows. */
  open(routes, deps) {
    registerNotificationRoutes(routes, deps);
    return {
      jobs: [
        { name: 'event notifications', everyMs: 2_000, run: () => notifyEvents(deps) },
        { name: 'ending subscriptions', everyMs: 600_000, isShared: true, run: () => notifyExpiries(deps) },
        { name: 'event retention', everyMs: 3_600_000, run: (now) => purgeEvents(deps.database, now) },
      ],
    };
  },
  organizationEnd: {
    close: silenceOrganization,
    tables: ['notification_subscriptions', 'notification_events', 'notification_throttles'],
  },
};
