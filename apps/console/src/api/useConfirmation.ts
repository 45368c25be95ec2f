import { identityProviders } from '@highline/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { useAction } from './useAction.ts';

const confirmationQuery = queryOptions({
  queryKey: ['sign-in-confirmation'],
  queryFn: async ({ signal }) => {
    const { possible, until } = (await call(identityProviders.getConfirmation, { signal })).result;
    return { isPossible: possible, isConfirmed: until !== null && new Date(until) > new Date() };
  },
  // What it says ends by itself.
  staleTime: 0,
});

/** Another sign-in by the company in place of the own password (IAM-01). */
export function useConfirmation() {
  const { data } = useQuery(confirmationQuery);
  const begin = useAction<void, string | null>({
    run: async () => {
      const body = { next: `${location.pathname}${location.search}` };
      return (await call(identityProviders.beginConfirmation, { body })).result.url;
    },
    // Providers cannot be shown in a frame; this page opens again after it.
    onDone: (url) => {
      if (url !== null) location.assign(url);
    },
  });
  return { isPossible: data?.isPossible === true, isConfirmed: data?.isConfirmed === true, begin };
}
