import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/useAction.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { toast } from '../../../ui/toasts.ts';
import { CodeField, OwnPasswordField } from './ProofField.tsx';
import { useProof } from './proof.ts';
import { endSecondFactor } from './second-factor.api.ts';

const FORM = 'second-factor-end';

/** Turn the second factor off, with the password and a code. */
export function EndDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { values, field, refuse } = useProof();
  const end = useAction<typeof values, void>({
    run: endSecondFactor,
    onDone: () => {
      toast(t('users.secondFactor.ended'));
      onClose();
    },
    onError: refuse,
  });
  const filled = values.password !== '' && values.code.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (filled && !end.busy) end.run(values);
  };
  return (
    <Dialog
      title={t('users.secondFactor.endTitle')}
      onClose={onClose}
      sticky
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <ActionButton
            type="submit"
            form={FORM}
            variant="filled"
            color="danger"
            loading={end.busy}
            disabledReason={filled ? undefined : t('users.secondFactor.bothFirst')}
          >
            {t('users.secondFactor.turnOff')}
          </ActionButton>
        </>
      }
    >
      <form id={FORM} className="form" noValidate onSubmit={submit}>
        <OwnPasswordField {...field('password')} />
        <CodeField {...field('code')} hint={t('users.secondFactor.codeOrRecovery')} />
      </form>
    </Dialog>
  );
}
