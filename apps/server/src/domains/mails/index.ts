// Outgoing mails of every kind; this module depends only on the log.
export { isBounceAddress } from './bounce-tokens.ts';
export { deliverDueMails } from './mail-delivery.ts';
export {
  cancelFileMails,
  cancelLinkMails,
  cancelMails,
  cancelMailsOf,
  enqueueMail,
  enqueueMails,
  purgeMails,
  sealEarlierMails,
  deleteMailFiles,
  storeMailFile,
} from './mail-queue.ts';
export type { EndedMail, MailOutcomes } from './mail-delivery.store.ts';
export { createMailSealing, openMailText } from './mail-text.ts';
export { mailsModule } from './module.ts';
