import { hash } from 'node:crypto';
import { z } from 'zod';
import { DomainError, invalidField } from '../../kernel/failure.ts';
import { keyValue, type Segment } from './order.ts';

/** A position in a sorted list: the row next to which a page begins. */
export interface Anchor {
  readonly towards: 'next' | 'previous';
  /** Index of the row's segment. */
  readonly segment: number;
  /** Index of the row in the whole list when it was read. */
  readonly position: number;
  readonly keys: readonly string[];
}

const parts = z
  .tuple([
    z.string(),
    z.enum(['n', 'p']),
    z.int().min(0).max(100),
    z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    z.array(z.string()).max(8),
  ])
  .readonly();

/** Identifies a list (owner, filters and sort), so that a cursor of one list is invalid for another. */
export function fingerprint(list: unknown): string {
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, 12);
}

/** Encode a position for the address of an adjacent page; opaque to clients. */
export function writeCursor(of: string, anchor: Anchor): string {
  const towards = anchor.towards === 'next' ? 'n' : 'p';
  return Buffer.from(JSON.stringify([of, towards, anchor.segment, anchor.position, anchor.keys])).toString('base64url');
}

/**
 * Decode a position. Nothing in it is trusted: it only marks where to begin, within the scope and filters of the current call.
 * @throws DomainError `request.invalid` when it was made for another list, or not by us
 */
export function readCursor(of: string, text: string, segments: readonly Segment[]): Anchor {
  const parsed = parts.safeParse(decode(text));
  if (!parsed.success || parsed.data[0] !== of) throw invalidCursor();
  const [, towards, segment, position, keys] = parsed.data;
  const expected = segments[segment]?.keys;
  if (expected === undefined || expected.length !== keys.length) throw invalidCursor();
  if (!expected.every((key, index) => keyValue[key.kind].safeParse(keys[index]).success)) throw invalidCursor();
  return { towards: towards === 'n' ? 'next' : 'previous', segment, position, keys };
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function invalidCursor(): DomainError {
  return invalidField('cursor', 'does not belong to this list');
}
