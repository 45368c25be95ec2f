// Rows as files of reports are written from them, without the files, for the benchmark.
export { periodUse } from '../domains/usage/index.ts';
export { createReader, createRowStreams } from '../platform/listing/index.ts';
