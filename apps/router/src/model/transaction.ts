import type { RouterState } from '../state/state.ts';
import type { RouterView } from './definition.ts';

/** Stores rows: the part of a router's state that requests may change. */
export type RowStore = {
  rows(): RouterState['rows'];
  nextInstance(): RouterState['nextInstance'];
  /** Store both atomically. @throws Error when writing fails; the old ones are kept then */
  save(rows: RouterState['rows'], nextInstance: RouterState['nextInstance']): void;
};

/**
 * A transaction on rows. Requests read through `view`, so that each sees earlier changes of the same message; nothing takes
 * effect until `save`. Untouched rows keep their object identity, which shows what changed.
 */
export type Transaction = {
  readonly view: RouterView;
  readonly created: string[];
  readonly deleted: string[];
  write(path: string, values: { readonly [param: string]: string }): void;
  /** Allocate the next unused number of a table. */
  allocateInstance(tablePath: string): number;
  /** Remove an instance and everything below it. */
  remove(path: string): void;
  save(): void;
};

/** Begin a transaction on a router's rows. */
export function beginTransaction(router: RouterView, rowStore: RowStore): Transaction {
  const rows = { ...rowStore.rows() };
  const nextInstance = { ...rowStore.nextInstance() };
  const created: string[] = [];
  const deleted: string[] = [];
  const view: RouterView = {
    ...router,
    row: (path) => rows[path],
    rowPaths: () => Object.keys(rows),
  };
  return {
    view,
    created,
    deleted,
    write(path, values) {
      rows[path] = { ...rows[path], ...values };
    },
    allocateInstance(tablePath) {
      const number = nextInstance[tablePath] ?? 1;
      nextInstance[tablePath] = number + 1;
      return number;
    },
    remove(path) {
      for (const key of Object.keys(rows)) if (key.startsWith(path)) delete rows[key];
      deleted.push(path);
    },
    save: () => rowStore.save(rows, nextInstance),
  };
}
