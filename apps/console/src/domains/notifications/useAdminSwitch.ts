import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { showMessage } from '../../ui/dialogs.ts';
import { useLanguage } from '../../ui/language.ts';
import { useZone } from '../../ui/time/zone.ts';
import { type AdminSwitch, eventsOf, switchFault, switchOf } from './admin-switch.ts';
import {
  type Happening,
  happeningsOf,
  hasNoGroup,
  isSameRecipient,
  type NotificationEvent,
  recipientInputOf,
} from './notification.ts';
import { NEW, saveRecipient, subscriptionQuery } from './notifications.api.ts';

/** The notification switch of an account that exists. */
export interface SavedSwitch {
  /** Undefined until it is known. */
  readonly state: AdminSwitch | undefined;
  readonly others: readonly Happening[];
  /** Every group it was about is deleted: a save means all groups. */
  readonly noGroup: boolean;
  readonly dirty: boolean;
  /** Why it cannot be saved. */
  readonly reason: string | undefined;
  readonly error: string | undefined;
  readonly retry: () => void;
  readonly change: (state: AdminSwitch) => void;
  /** @returns false if another user saved in the meantime: the user was informed, and the switch shows the saved state */
  readonly save: () => Promise<boolean>;
}

/** Save the switch for the account of a new admin. */
export function useSaveNewSwitch(): (mail: string, state: AdminSwitch) => Promise<void> {
  const locale = { language: useLanguage(), zone: useZone() };
  return async (mail, state) => {
    if (state.on) await saveRecipient({ mail, recipient: '', groups: [], events: eventsOf(state, []) }, NEW, locale);
  };
}

/** Read and change the switch of an account (USR-05); until it is changed, it follows what others save. */
export function useAdminSwitch(mail: string, enabled: boolean): SavedSwitch {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const locale = { language: useLanguage(), zone: useZone() };
  const query = useQuery({ ...subscriptionQuery(mail), enabled });
  /** What the user chose, and the version when they began: others' saves meanwhile are reported, not overwritten. */
  const [typed, setTyped] = useState<{ readonly state: AdminSwitch; readonly base: string }>();
  const { data } = query;
  const stored = data === null || data === undefined ? { mail, recipient: '', groups: [], events: [] } : recipientInputOf(data);
  const others = happeningsOf(stored.events);
  const state = typed?.state ?? (data === undefined ? undefined : switchOf(data));
  const events: readonly NotificationEvent[] = state === undefined ? stored.events : eventsOf(state, others);
  const dirty = enabled && typed !== undefined && !isSameRecipient(stored, { ...stored, events });
  const fault = dirty && state !== undefined ? switchFault(state, others) : undefined;
  return {
    state,
    others,
    noGroup: data !== null && data !== undefined && hasNoGroup(data),
    dirty,
    reason: fault === undefined ? undefined : t(`notifications.admin.${fault}`),
    error: query.error === null || data !== undefined ? undefined : errorText(query.error),
    retry: () => void query.refetch(),
    change: (next) => setTyped((before) => ({ state: next, base: before?.base ?? data?.version ?? NEW })),
    save: async () => {
      /** Base what the user chose on what is stored now. */
      const rebase = (version = NEW, sent?: AdminSwitch) =>
        setTyped((before) =>
          before === undefined || before.state === sent ? undefined : { state: before.state, base: version },
        );
      try {
        await saveRecipient({ ...stored, events }, typed?.base ?? NEW, data === null ? locale : undefined);
      } catch (error) {
        if (!(error instanceof ApiError) || error.key !== 'conflict.stale') throw error;
        const { data: current } = await query.refetch();
        rebase(current?.version);
        await showMessage({ title: t('ui.dialog.warningTitle'), text: t('notifications.form.stale') });
        return false;
      }
      await client.invalidateQueries({ queryKey: ['notifications'] });
      // What was changed while the save was on its way stays, to be saved next.
      rebase(client.getQueryData(subscriptionQuery(mail).queryKey)?.version, typed?.state);
      return true;
    },
  };
}
