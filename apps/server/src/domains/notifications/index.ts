// Sends mails about events. Modules raise their events here; it depends only on the log and the mails.
export { raise, raiseEverywhere } from './events.store.ts';
export { notifyExpiries } from './expiry.ts';
export { createRouterAlarms, type RouterAlarms } from './router-alarms.ts';
export { deleteAlarms } from './router-alarms.store.ts';
export { deleteAddress, deleteGroupRecipients, moveAddress } from './recipients.store.ts';
export { deleteRecipients } from './recipients.service.ts';
export { notifyEvents } from './event-mailer.ts';
export { purgeEvents } from './event-mailer.store.ts';
export { mailPeople, readersOf } from './people.queries.ts';
export { compose, momentOf, type MailReader, type MailText } from './notification.mail.ts';
export { notificationsModule } from './module.ts';
