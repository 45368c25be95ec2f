import type { Log } from '../platform/ports/log.ts';

/** A log that discards everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
