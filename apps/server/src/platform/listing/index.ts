// Lists of any domain: sorted, filtered, paged by key, streamed whole. Independent of domain terms.
export { fingerprint } from './cursor.ts';
export { allOf, createReader, type Fragment, type Reader } from './fragment.ts';
export { manyOf } from './many.ts';
export { createCache, type Cache } from './cache.ts';
export type { KeyKind, Nesting, Segment, SortKey } from './order.ts';
export type { List } from './list.ts';
export { readCountedPage, type Page } from './page.ts';
export { offsetAround, readShortPage, type ShortList } from './offset-page.ts';
export { createRowStreams, type RowStreams } from './row-streams.ts';
export { createSemaphore } from './semaphore.ts';
export { createTimedReader, type ReadRows, type TimedReader } from './timed-reader.ts';
export { contains, searchable, type CaseOption } from './text.ts';
export { fieldOf, limitOf, rejectCursor, sortOf } from './request.ts';
