import { inventory } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { pageOf } from '../../../api/useList.ts';
import { searchQuery } from '../../../ui/list/spec.ts';
import { MOST_CHOSEN, type StockRouter } from './stock.ts';

type StockSort = 'serial' | '-serial' | 'model' | '-model';
export const stockFields = ['serial', 'mac', 'model'] as const;

/** The part of the stock that the table shows. */
export interface StockView {
  readonly page: number;
  readonly size: number;
  readonly sort: StockSort | undefined;
  readonly field: (typeof stockFields)[number];
  readonly search: string | undefined;
  readonly ignoreCase: 'true' | undefined;
}

/** Rows of one call that chooses all that match. */
const ROWS_PER_CALL = 200;

async function fetchStock(view: StockView, offset: number, limit: number, signal?: AbortSignal) {
  const query = { claimed: 'unclaimed', sort: view.sort, ...searchQuery(view, 'serial'), offset, limit } as const;
  return pageOf(await call(inventory.listRouters, { query, ...(signal === undefined ? {} : { signal }) }));
}

/** A page of the routers in stock. */
export const stockQuery = (view: StockView) =>
  queryOptions({
    queryKey: ['inventory', 'stock', view],
    queryFn: ({ signal }) => fetchStock(view, (view.page - 1) * view.size, view.size, signal),
    placeholderData: keepPreviousData,
    meta: { topics: ['inventory'] },
  });

/** The number of routers in stock that match the search. */
export async function countStock(view: StockView, signal: AbortSignal): Promise<number> {
  return (await fetchStock(view, 0, 1, signal)).total;
}

/** The routers in stock that match the search, at most as many as can be chosen. */
export async function fetchAllStock(view: StockView): Promise<readonly StockRouter[]> {
  const found: StockRouter[] = [];
  while (found.length < MOST_CHOSEN) {
    const { rows } = await fetchStock(view, found.length, ROWS_PER_CALL);
    found.push(...rows);
    if (rows.length < ROWS_PER_CALL) break;
  }
  return found;
}
