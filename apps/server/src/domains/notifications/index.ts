// Sends mails about events. Modules raise their events here; it depends only on the log and the mails.
export { raise, raiseEverywhere } from './events.store.ts';
export { tellExpiries } from './expiry.ts';
export { registerNotificationRoutes, type NotificationRoutesDeps } from './notifications.routes.ts';
export { createRouterReports, type RouterReport, type RouterReports } from './router-reports.ts';
export { forgetReports } from './router-reports.store.ts';
export { forgetAddress, forgetGroups, purgeNotificationsOf, silenceOrganization } from './subscriptions.store.ts';
export { tellEvents, type TellerDeps } from './teller.ts';
export { purgeEvents } from './teller.store.ts';
