import { search } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** What the palette finds for a text; nothing for an empty one (BLK-04). */
export const foundQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => (await call(search.find, { query: { text }, signal })).result,
    enabled: text !== '',
    placeholderData: keepPreviousData,
    // Two minutes later the same question may have another answer.
    gcTime: 120_000,
  });
