import { Readable } from 'node:stream';

/**
 * A whole list as one JSON document that is never in memory at once: `{"result":[…],"total":n}`.
 * @param form 'data' for the data service's lists, 'account' for `{"result":{"list":[…]},…}`
 */
export function streamList(rows: AsyncIterable<unknown>, form: 'data' | 'account' = 'data'): Readable {
  return Readable.from(chunks(rows, form), { objectMode: false, highWaterMark: 65_536 });
}

async function* chunks(rows: AsyncIterable<unknown>, form: 'data' | 'account'): AsyncGenerator<string> {
  let pending = form === 'account' ? '{"result":{"list":[' : '{"result":[';
  let total = 0;
  for await (const row of rows) {
    pending += (total === 0 ? '' : ',') + JSON.stringify(row);
    total += 1;
    // One chunk of some 32 kB costs far less than a chunk per row.
    if (pending.length < 32_768) continue;
    yield pending;
    pending = '';
  }
  yield `${pending}]${form === 'account' ? '}' : ''},"total":${total}}`;
}
