import { Button } from './controls/Button.tsx';
import { TextInput } from './controls/TextInput.tsx';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from './ActionButton.tsx';
import { Dialog } from './Dialog.tsx';

export interface TypedConfirmProps {
  readonly title: string;
  /** Explains what to type and what happens then. */
  readonly text: string;
  /** Nothing else passes, in no other letters and without spaces around. */
  readonly word: string;
  /** The label of the confirming button. */
  readonly confirm: string;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** A final confirmation that requires an exact text: the action cannot be undone. */
export function TypedConfirm({ title, text, word, confirm, busy, onClose, onConfirm }: TypedConfirmProps): ReactNode {
  const { t } = useTranslation();
  const form = useId();
  const [typed, setTyped] = useState('');
  const isRight = typed === word;
  return (
    <Dialog
      title={title}
      role="alertdialog"
      sticky
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <ActionButton
            type="submit"
            form={form}
            variant="filled"
            color="danger"
            loading={busy}
            disabledReason={isRight ? undefined : t('ui.dialog.typeFirst', { word })}
          >
            {confirm}
          </ActionButton>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight && !busy) onConfirm();
        }}
      >
        <TextInput
          label={text}
          value={typed}
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
