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
  readonly run: (profile: Profile) => void;
  readonly busy: boolean;
}

/** 'Use now': names vehicle and carriers and the way back, and then has the router switch. */
export function useSwitch(): Switch {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError();
  const confirmedRun = useConfirmedRun();
  const [busy, setBusy] = useState(false);
  const run = async ({ pk, name, carrier, iccid }: Profile) => {
    setBusy(true);
    try {
      if (!(await confirmedRun((query) => switchToProfile(pk, query), t('esims.switch.now')))) return;
      highlight('profiles', [pk]);
      toast(t('esims.switch.started', { name: name || carrier || iccid }));
    } catch (error) {
      await showError(error);
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ['esims'] });
    }
  };
  return { run: (profile) => void run(profile), busy };
}
