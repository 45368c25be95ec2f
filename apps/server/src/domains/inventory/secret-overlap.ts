import { sql } from 'kysely';

/** How long the former secret of a router is valid after the first use of the new one (DEVICE-PROTOCOL). */
export const OVERLAP_MS = 86_400_000;

/**
 * `routers.previous_secret_until` while the new secret was not used: its end is not known. A date, because processes of 0.2.0 compare
 * and show it.
 */
const UNTIL_USED = new Date('9999-12-31T00:00:00Z');

/** The same as SQL. */
export const untilUsed = sql`${UNTIL_USED.toISOString()}::timestamptz`;

/** Whether a router has not used the secret that it got by a rotation: the one before is valid. */
export const isAwaitingUse = (until: Date | null): boolean => until?.getTime() === UNTIL_USED.getTime();
