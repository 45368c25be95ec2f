import type { KeyObject } from 'node:crypto';
import type { Sealing } from '../../kernel/sealing.ts';

/** Values of the columns of a primary key, as text. */
export type SealedKey = Readonly<Record<string, string>>;

/** A column with values that are sealed with the master key, each for its own row. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns of the primary key, in its order, with their types. */
  readonly key: Readonly<Record<string, 'uuid' | 'text' | 'integer'>>;
  /** The same functions for each row: seal and open a value of it. */
  sealing(masterKey: KeyObject): {
    seal(row: SealedKey, contents: Uint8Array): Buffer;
    open(row: SealedKey, sealed: Uint8Array): Buffer;
  };
}

/** A column whose values are sealed for the id in `of`. */
export function sealedFor(
  table: string,
  column: string,
  key: SealedColumn['key'],
  of: string,
  create: (masterKey: KeyObject) => Sealing,
): SealedColumn {
  return {
    table,
    column,
    key,
    sealing(masterKey) {
      const { seal, open } = create(masterKey);
      return { seal: (row, contents) => seal(row[of]!, contents), open: (row, sealed) => open(row[of]!, sealed) };
    },
  };
}
