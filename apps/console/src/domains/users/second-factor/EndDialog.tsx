import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toast } from '../../../ui/toasts.ts';
import { CodeField, OwnPasswordField } from './ProofField.tsx';
import { useProof } from './proof.ts';
import { endSecondFactor } from './second-factor.api.ts';

/** Turn the second factor off, with the password and a code. */
export function EndDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { values, isProven, field, reject } = useProof();
  const end = useAction<typeof values, void>({
    run: endSecondFactor,
    onDone: () => {
      toast(t('users.secondFactor.ended'));
      onClose();
    },
    onError: reject,
  });
  const filled = isProven && values.code.trim() !== '';
  const submit = () => {
    if (filled && !end.busy) end.run(values);
  };
  return (
    <FormDialog
      title={t('users.secondFactor.endTitle')}
      submit={t('users.secondFactor.turnOff')}
      danger
      busy={end.busy}
      dirty={false}
      disabledReason={filled ? undefined : t('users.secondFactor.bothFirst')}
      onSubmit={submit}
      onClose={onClose}
    >
      <OwnPasswordField {...field('password')} />
      <CodeField {...field('code')} hint={t('users.secondFactor.codeOrRecovery')} />
    </FormDialog>
  );
}
