import type { Log } from '../platform/ports/log.ts';

/** A log that discards everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A log that keeps its sentences. */
export function createLogBook(): { readonly log: Log; readonly sentences: string[] } {
  const sentences: string[] = [];
  const keep = (_fields: object, sentence: string) => void sentences.push(sentence);
  return { log: { debug: keep, info: keep, warn: keep, error: keep }, sentences };
}
