// How tools outside the server open one of its databases.
export { createDatabase } from '../platform/adapters/database.ts';
export { openDatabase } from '../platform/adapters/postgres/connect.ts';
export { startEmbedded } from '../platform/adapters/postgres/embedded.ts';
export { urlOf } from '../platform/adapters/postgres/postmaster.ts';
export { systemClock } from '../platform/ports/clock.ts';
export type { Database, Tx } from '../platform/ports/database.ts';
