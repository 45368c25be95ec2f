import { Readable } from 'node:stream';

/**
 * Stream a whole list as one JSON document without holding it in memory: `{"result":[…],"total":n}`.
 * @param form 'data' for the data service's lists, 'account' for `{"result":{"list":[…]},…}`
 */
export function streamList(rows: AsyncIterable<unknown>, form: 'data' | 'account' = 'data'): Readable {
  return streamPieces(wholePieces(rows), form);
}

/** A fragment of the JSON of one list entry. */
export interface JsonPiece {
  readonly text: string;
  /** Whether it starts a new entry. */
  readonly begins: boolean;
}

/** The same for entries too large for memory: each arrives in fragments that together form its JSON. */
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
