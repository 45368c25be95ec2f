// What other domains call of people who were guests; it needs no domain that needs it.
export { deleteVisitsOf } from './former-guests.store.ts';
