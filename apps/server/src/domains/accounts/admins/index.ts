// What other domains read of admins; it needs no domain that needs it.
export { hasFullRole, isFullAdmin } from './admins.queries.ts';
