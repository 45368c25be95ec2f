import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { createPasskey, isCancelled, isKnownPasskey } from '../../../api/passkeys.ts';
import { useAction } from '../../../api/useAction.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toast } from '../../../ui/toasts.ts';
import { OwnPasswordField } from '../second-factor/ProofField.tsx';
import { useProof } from '../second-factor/proof.ts';
import type { Passkey } from './passkeys.api.ts';

/** A new passkey: its name and the password; then the browser takes over. */
export function AddPasskey({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }): ReactNode {
  const { t } = useTranslation();
  const { values, isProven, field, reject } = useProof();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = useAction<string, Passkey>({
    run: (password) => createPasskey(name.trim(), password),
    onDone: () => {
      toast(t('users.passkeys.added'));
      onAdded();
    },
    onError: (error) => {
      if (isKnownPasskey(error)) setProblem(t('users.passkeys.known'));
      else if (isCancelled(error)) setProblem(t('users.passkeys.cancelled'));
      else return reject(error);
      return true;
    },
  });
  const isFilled = name.trim() !== '' && isProven;
  const submit = () => {
    setProblem(undefined);
    if (isFilled && !add.busy) add.run(values.password);
  };
  return (
    <FormDialog
      title={t('users.passkeys.add')}
      submit={t('users.passkeys.next')}
      busy={add.busy}
      dirty={false}
      disabledReason={isFilled ? undefined : t('users.passkeys.fill')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('users.passkeys.name')}
        description={t('users.passkeys.nameHint')}
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <OwnPasswordField {...field('password')} />
      {problem !== undefined && (
        <p className="note note--bad" role="alert">
          {problem}
        </p>
      )}
    </FormDialog>
  );
}
