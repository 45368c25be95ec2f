// Who is told of what by mail. Rooms raise here what happens in them; it knows none of them but the log and the mails.
export { raise, raiseEverywhere } from './events.store.ts';
export { tellExpiries } from './expiry.ts';
export { registerNotificationRoutes, type NotificationRoutesDeps } from './notifications.routes.ts';
export { createRouterReports, type RouterReport, type RouterReports } from './router-reports.ts';
export { forgetReports } from './router-reports.store.ts';
export { forgetAddress, forgetGroups, purgeNotificationsOf, silenceOrganization } from './subscriptions.store.ts';
export { tellEvents, type TellerDeps } from './teller.ts';
export { purgeEvents } from './teller.store.ts';
