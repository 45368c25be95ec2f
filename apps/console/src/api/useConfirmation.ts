import { identityProviders } from '@highline/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { useAction } from './useAction.ts';

const confirmationQuery = queryOptions({
  queryKey: ['sign-in-confirmation'],
  queryFn: async ({ signal }) => (await call(identityProviders.getConfirmation, { signal })).result,
  // What it says ends by itself.
  staleTime: 0,
});

/** Another sign-in by the company in place of the own password (IAM-01). */
export function useConfirmation() {
  const { data } = useQuery(confirmationQuery);
  const begin = useAction<void, string>({
    run: async () => {
      const body = { next: `${location.pathname}${location.search}` };
      return (await call(identityProviders.beginConfirmation, { body })).result.url;
    },
    // Providers cannot be shown in a frame; this page opens again after it.
    onDone: (url) => location.assign(url),
  });
  const isConfirmed = data?.until !== undefined && data.until !== null && new Date(data.until) > new Date();
  return { isPossible: data?.possible === true, isConfirmed, begin };
}
