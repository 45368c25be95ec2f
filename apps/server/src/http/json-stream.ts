import { Readable } from 'node:stream';

/**
 * A whole list as one JSON document that is never in memory at once: `{"result":[…],"total":n}`.
 * @param form 'data' for the data service's lists, 'account' for `{"result":{"list":[…]},…}`
 */
export function streamList(rows: AsyncIterable<unknown>, form: 'data' | 'account' = 'data'): Readable {
  return streamPieces(wholePieces(rows), form);
}

/** A part of the JSON of one entry of a list. */
export interface JsonPiece {
  readonly text: string;
  /** Whether an entry begins with it. */
  readonly begins: boolean;
}

/** The same for entries that are too long to be in memory at once: each comes in pieces, which together are its JSON. */
export function streamPieces(pieces: AsyncIterable<JsonPiece>, form: 'data' | 'account' = 'data'): Readable {
  return Readable.from(chunks(pieces, form), { objectMode: false, highWaterMark: 65_536 });
}

async function* wholePieces(rows: AsyncIterable<unknown>): AsyncGenerator<JsonPiece> {
  for await (const row of rows) yield { text: JSON.stringify(row), begins: true };
}

async function* chunks(pieces: AsyncIterable<JsonPiece>, form: 'data' | 'account'): AsyncGenerator<string> {
  let pending = form === 'account' ? '{"result":{"list":[' : '{"result":[';
  let total = 0;
  for await (const { text, begins } of pieces) {
    pending += (begins && total > 0 ? ',' : '') + text;
    if (begins) total += 1;
    // One chunk of some 32 kB costs far less than a chunk per row.
    if (pending.length < 32_768) continue;
    yield pending;
    pending = '';
  }
  yield `${pending}]${form === 'account' ? '}' : ''},"total":${total}}`;
}
