// What other domains call of the recipients of summaries; it needs no domain that needs it.
export { leaveSummaries, moveRecipient } from './recipients.store.ts';
