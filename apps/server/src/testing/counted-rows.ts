import type { KyselyPlugin } from 'kysely';
import type { Tx } from '../platform/ports/database.ts';

/** A transaction that counts the rows that its statements return. */
export function countRows(tx: Tx): { readonly tx: Tx; readonly count: () => number } {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      count += result.rows.length;
      return Promise.resolve(result);
    },
  };
  return { tx: tx.withPlugin(plugin), count: () => count };
}
