import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLanguage } from '../../ui/language.ts';
import { useZone } from '../../ui/time/zone.ts';
import { pushKeyQuery } from './people.api.ts';
import { pushStates, renewPush } from './push.ts';

/** Registers this browser for push messages again, once for each page load, where the installation has another key (SAY-05). */
export function PushRenewal(): null {
  const locale = { language: useLanguage(), zone: useZone() };
  const client = useQueryClient();
  // What cannot be renewed is named at *Who is notified*.
  useQuery({
    queryKey: ['push', 'renewal'],
    queryFn: async () => {
      const isRenewed = await renewPush(locale);
      if (isRenewed) for (const queryKey of [pushKeyQuery.queryKey, pushStates]) void client.invalidateQueries({ queryKey });
      return isRenewed;
    },
    staleTime: Infinity,
    retry: false,
  });
  return null;
}
