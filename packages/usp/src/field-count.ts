import protobuf from 'protobufjs';

/** More fields than are decoded. */
export class TooManyFields extends Error {}

/** By field number: what the messages of that field hold in turn. Nothing at the number of a text, of bytes or of a number. */
export type Nesting = readonly (Nesting | undefined)[];

const nestings = new WeakMap<protobuf.Type, Nesting>();

/** The nesting of a message type, built once. Callers must have resolved the type's root. */
export function nestingOf(type: protobuf.Type): Nesting {
  const known = nestings.get(type);
  if (known) return known;
  const nesting: (Nesting | undefined)[] = [];
  nestings.set(type, nesting);
  for (const field of type.fieldsArray) {
    const inner = field.resolvedType instanceof protobuf.Type ? nestingOf(field.resolvedType) : undefined;
    // An entry of a map is a message with its key at 1 and its value at 2.
    nesting[field.id] = field.map ? [undefined, undefined, inner] : inner;
  }
  return nesting;
}

/**
 * Count the fields of an encoded message and of all messages in it, each one that the decoder would read. Nothing is decoded: this
 * takes milliseconds for 1 MiB, where decoding half a million empty fields takes seconds.
 *
 * Bytes that could be a text or a message are entered where the schema has a message, as the decoder does. Fields that the schema
 * does not have are skipped.
 * @throws TooManyFields above `most` fields, and Error when the bytes are not fields to their end
 */
export function countFields(bytes: Uint8Array, nesting: Nesting, most: number): number {
  const cursor = new Cursor(bytes);
  // The messages that the cursor is in, outermost first. As deep as the schema at most.
  const entered = [nesting];
  const ends = [bytes.length];
  let depth = 0;
  let fields = 0;
  while (depth >= 0) {
    const end = ends[depth]!;
    if (cursor.at === end) {
      depth--;
      continue;
    }
    if (++fields > most) throw new TooManyFields(`more than ${most} fields`);
    const tag = cursor.readNumber(end);
    if (tag < FIRST_TAG) throw new Error('a field without a number');
    const inner = (tag & 7) === LENGTH_DELIMITED ? entered[depth]![tag >>> 3] : undefined;
    if (inner === undefined) cursor.skip(tag & 7, end);
    else {
      const length = cursor.readLength(end);
      depth++;
      entered[depth] = inner;
      ends[depth] = cursor.at + length;
    }
  }
  return fields;
}

/** Of field number 1. */
const FIRST_TAG = 8;
/** Encodings of fields (protobuf "Encoding"). Groups, 3 and 4, are not in proto3, so no agent sends them. */
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

const LONGEST_NUMBER = 5;
const LONGEST_VARINT = 10;

/** A place in encoded bytes. It moves with each call, and never past the `end` that the caller gives. */
class Cursor {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Read a tag or a length. */
  readNumber(end: number): number {
    let value = 0;
    let unit = 1;
    for (let length = 1; length <= LONGEST_NUMBER; length++) {
      const byte = this.#readByte(end);
      value += (byte & 0x7f) * unit;
      if (byte < 0x80 && value <= 0xffffffff) return value;
      unit *= 0x80;
    }
    throw new Error('a tag or length that is too long');
  }

  /** Read the length of what follows, which must end at `end` or before. */
  readLength(end: number): number {
    const length = this.readNumber(end);
    if (length > end - this.at) throw new Error('a field ends after its message');
    return length;
  }

  /** Skip the value of a field. */
  skip(encoding: number, end: number): void {
    if (encoding === VARINT) this.#skipVarint(end);
    else this.#skipBytes(this.#lengthOf(encoding, end), end);
  }

  #lengthOf(encoding: number, end: number): number {
    if (encoding === LENGTH_DELIMITED) return this.readLength(end);
    if (encoding === FIXED_64) return 8;
    if (encoding === FIXED_32) return 4;
    throw new Error('a field of an unknown encoding');
  }

  #skipVarint(end: number): void {
    for (let length = 1; length <= LONGEST_VARINT; length++) if (this.#readByte(end) < 0x80) return;
    throw new Error('a varint that is too long');
  }

  #skipBytes(length: number, end: number): void {
    if (length > end - this.at) throw new Error('a field ends after its message');
    this.at += length;
  }

  #readByte(end: number): number {
    if (this.at >= end) throw new Error('a field ends after its message');
    return this.#bytes[this.at++]!;
  }
}
