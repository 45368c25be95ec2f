import type { ByteRange } from '../../platform/ports/blobs.ts';

/**
 * The part of a content that a request asks for (RFC 9110, 14): undefined = all of it, also for anything that is not a single
 * range of bytes; 'unsatisfiable' when it begins behind the end.
 */
export function readRange(header: string | undefined, size: number): Required<ByteRange> | 'unsatisfiable' | undefined {
  const match = /^bytes=[\t ]*(\d{0,15})-(\d{0,15})[\t ]*$/u.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (match === null || `${first}${last}` === '') return undefined;
  if (first === '') return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(size - 1, Number(last)) };
}
