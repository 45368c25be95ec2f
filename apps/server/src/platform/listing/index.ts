// Lists of any domain: sorted, filtered, paged by key, streamed whole. Independent of domain terms.
export { fingerprint } from './cursor.ts';
export { allOf, createReader, type Fragment, type Reader } from './fragment.ts';
export { manyOf } from './many.ts';
export { createCache, createTotals, type Cache } from './cache.ts';
export { defineList, mapRows } from './define-list.ts';
export { createKeySamples, type KeySamples } from './key-samples.ts';
export { nameSortKey, natural } from './order.ts';
export type { KeyKind, Nesting, Segment, SortKey } from './order.ts';
export type { Totals } from './page.ts';
export { shortList, wholeList } from './short-list.ts';
export { createRowStreams, type RowStreams } from './row-streams.ts';
export { createSemaphore } from './semaphore.ts';
export { createTimedReader, type ReadRows, type TimedReader } from './timed-reader.ts';
export { beginsWith, contains, sameName, searchable, type CaseOption } from './search.ts';
export { containsNumber, limitOf, numberField, onlyOf, searchOf, sorted, type SearchFields } from './request.ts';
