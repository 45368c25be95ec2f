import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { useAwaitedSecret } from '../../ui/losses.ts';
import { type Minted, rotateSecret, type Router } from './inventory.api.ts';
import { RouterSecret } from './RouterSecret.tsx';

export interface NewSecret {
  /** Confirm, mint, and show the secret once. */
  readonly confirm: (router: Router) => Promise<void>;
  readonly show: (minted: Minted) => void;
  readonly dialog: ReactNode;
}

/** A new secret for a router, shown once. @param onDone after the secret was shown */
export function useNewSecret(onDone?: () => void): NewSecret {
  const { t } = useTranslation();
  const [minted, setMinted] = useState<Minted>();
  const { run, busy } = useAction<string, Minted>({ run: rotateSecret, onDone: setMinted });
  useAwaitedSecret(busy);
  const confirm = useCallback(
    async (router: Router) => {
      const yes = t('inventory.secret.rotate');
      const question = router.awaitsSecretUse ? 'confirmAgain' : 'confirmRotate';
      const text = t(`inventory.secret.${question}`, { serial: router.serial_number });
      if (await confirmAction({ title: yes, text, yes, no: t('ui.cancel'), effect: 'ordinary' })) run(router.id);
    },
    [t, run],
  );
  const close = () => {
    setMinted(undefined);
    onDone?.();
  };
  return { confirm, show: setMinted, dialog: minted !== undefined && <RouterSecret minted={minted} onClose={close} /> };
}
