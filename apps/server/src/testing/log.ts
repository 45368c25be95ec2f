import type { Log } from '../ports/log.ts';

/** Says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
