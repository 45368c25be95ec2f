// Who is told of what by mail. Rooms raise here what happens in them; it knows none of them but the log and the mails.
export { registerNotificationRoutes, type NotificationRoutesDeps } from './notifications.routes.ts';
export { forgetAddress, forgetGroups, purgeNotificationsOf, silenceOrganization } from './subscriptions.store.ts';
