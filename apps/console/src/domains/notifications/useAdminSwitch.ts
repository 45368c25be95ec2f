import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/useErrorText.ts';
import { useLanguage } from '../../ui/language.ts';
import { useZone } from '../../ui/time/zone.ts';
import { type AdminSwitch, eventsOf, switchFault, switchOf } from './admin-switch.ts';
import { type Happening, happeningsOf, isSameWanted, type NotificationEvent, wantedOf } from './notification.ts';
import { saveWanted, subscriptionQuery } from './notifications.api.ts';

/** The notification switch of an account that exists. */
export interface SavedSwitch {
  /** Undefined until it is known. */
  readonly state: AdminSwitch | undefined;
  readonly others: readonly Happening[];
  readonly dirty: boolean;
  /** Why it cannot be saved, in words. */
  readonly reason: string | undefined;
  readonly error: string | undefined;
  readonly retry: () => void;
  readonly change: (state: AdminSwitch) => void;
  readonly save: () => Promise<void>;
}

/** Say of a new admin's account what its switch stands at. */
export function useSaveNewSwitch(): (mail: string, state: AdminSwitch) => Promise<void> {
  const manner = { language: useLanguage(), zone: useZone() };
  return async (mail, state) => {
    if (state.on) await saveWanted({ mail, groups: [], events: eventsOf(state, []) }, manner);
  };
}

/** Read and change the switch of an account (USR-05); until something is changed it follows what others save. */
export function useAdminSwitch(mail: string, enabled: boolean): SavedSwitch {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const manner = { language: useLanguage(), zone: useZone() };
  const query = useQuery({ ...subscriptionQuery(mail), enabled });
  const [typed, setTyped] = useState<AdminSwitch>();
  const { data } = query;
  const held = data === null || data === undefined ? { mail, groups: [], events: [] } : wantedOf(data);
  const others = happeningsOf(held.events);
  const state = typed ?? (data === undefined ? undefined : switchOf(data));
  const events: readonly NotificationEvent[] = state === undefined ? held.events : eventsOf(state, others);
  const dirty = enabled && typed !== undefined && !isSameWanted(held, { ...held, events });
  const fault = dirty && state !== undefined ? switchFault(state, others) : undefined;
  return {
    state,
    others,
    dirty,
    reason: fault === undefined ? undefined : t(`notifications.admin.${fault}`),
    error: query.error === null || data !== undefined ? undefined : errorText(query.error),
    retry: () => void query.refetch(),
    change: setTyped,
    save: async () => {
      await saveWanted({ ...held, events }, data === null ? manner : undefined);
      await client.invalidateQueries({ queryKey: ['notifications'] });
      setTyped(undefined);
    },
  };
}
