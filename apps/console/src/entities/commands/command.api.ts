import { commands } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

/** The organization's commands, by name. */
export const commandsQuery = queryOptions({
  queryKey: ['commands'],
  queryFn: async ({ signal }) => (await call(commands.listCommands, { query: {}, signal })).result,
  refetchInterval: REFRESH_MS,
  meta: { topics: ['commands'] },
});
