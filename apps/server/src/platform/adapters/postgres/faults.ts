import { DatabaseError } from 'pg';
import { isUnfinished } from '../../ports/database.ts';

/** The SQLSTATE of an error that PostgreSQL itself reported; undefined for any other value. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Shut down by an administrator, crashed, still starting, out of connections, waited too long for a lock, a demoted primary. */
const SERVER_STATES = new Set(['57P01', '57P02', '57P03', '53300', '55P03', '25006']);
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Errors of pg and its pool that have only a message. */
const MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool)/u;

/**
 * Whether a query failed because the database was unreachable or had no connection left: the query itself is fine, and a retry is
 * worthwhile. Whether a write was executed before the connection was lost is unknown.
 */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== undefined) return state.startsWith('08') || SERVER_STATES.has(state);
  if (error instanceof AggregateError && error.errors.some(isConnectionFault)) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // ENOENT of anything but a socket is a missing file, which is a fault of ours.
  if (code !== undefined && SYSTEM_CODES.has(code) && (code !== 'ENOENT' || syscall === 'connect')) return true;
  return MESSAGES.test(error.message) || isConnectionFault(error.cause);
}

/**
 * Whether the database could not be reached, or could not finish a statement, although the query itself is fine: a retry in a moment is worthwhile
 * (HTTP responds with `server.busy`).
 */
export function isDatabaseOutage(error: unknown): boolean {
  return isConnectionFault(error) || isUnfinished(error);
}

/** Whether a transaction lost to another one and will most likely succeed when repeated from its start. */
export function isSerializationFault(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}
