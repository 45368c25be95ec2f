import type { rollouts } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#i18n';
import { highlight } from '../../api/highlights.ts';
import { useShowError } from '../../api/useAction.ts';
import { toast } from '../../ui/toasts.ts';
import { type Profile, switchToProfile } from './esims.api.ts';
import { useConfirmedRun } from './useImpact.ts';

/** Having routers use an eSIM now. */
export interface Switch {
  /** @param window when; left out = now; null = not after all */
  readonly run: (profile: Profile, window?: rollouts.UpdateWindow | null) => void;
  readonly busy: boolean;
}

/** Names vehicle and carriers and the way back, and then has the router switch, now or when a window opens (WIN-02). */
export function useSwitch(): Switch {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError();
  const confirmedRun = useConfirmedRun();
  const [busy, setBusy] = useState(false);
  const run = async ({ pk, name, carrier, iccid }: Profile, window: rollouts.UpdateWindow | null | undefined) => {
    setBusy(true);
    try {
      const yes = t(window === undefined ? 'esims.switch.now' : 'esims.switch.plan');
      if (!(await confirmedRun((query) => switchToProfile(pk, query, window), yes))) return;
      highlight('profiles', [pk]);
      const done = window === null ? 'withdrawn' : window === undefined ? 'started' : 'planned';
      toast(t(`esims.switch.${done}`, { name: name || carrier || iccid }));
    } catch (error) {
      await showError(error);
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ['esims'] });
    }
  };
  return { run: (profile, window) => void run(profile, window), busy };
}
