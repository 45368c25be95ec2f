import { type FormEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from './ActionButton.tsx';
import { CloseButton, Dialog } from './Dialog.tsx';
import './form/form.css';
import { awaited, useInputLoss } from './losses.ts';

export interface FormDialogProps {
  readonly title: string;
  /** The label of the submit button. */
  readonly submit: string;
  readonly danger?: boolean;
  readonly wide?: boolean;
  readonly busy?: boolean;
  /** Whether it has input that closing would lose; left out: once a field was changed. */
  readonly dirty?: boolean;
  /** Why it cannot be sent yet. */
  readonly disabledReason?: string | undefined;
  /** Validates the input and sends it. */
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** To find a field in. */
  readonly form?: Ref<HTMLFormElement>;
  readonly children: ReactNode;
}

/** True for a field whose input costs work: not a search, and not a file, which is still there. */
function holdsWork(target: EventTarget): boolean {
  return !(target instanceof HTMLInputElement && (['search', 'file'].includes(target.type) || target.role === 'combobox'));
}

/** A form in a dialog, with Cancel and a submit button; closing it with typed input asks, and a click outside does nothing. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, submit, danger = false, wide = false, busy = false, disabledReason, onSubmit, onClose, form, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const [isTyped, setTyped] = useState(false);
  const typed = useInputLoss(props.dirty ?? isTyped);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      sticky
      loss={busy ? awaited : typed}
      wide={wide}
      actions={
        <>
          <CloseButton disabled={busy}>{t('ui.cancel')}</CloseButton>
          <ActionButton
            type="submit"
            form={id}
            variant="filled"
            {...(danger && { color: 'danger' as const })}
            loading={busy}
            disabledReason={disabledReason}
          >
            {submit}
          </ActionButton>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        className="form"
        noValidate
        onInput={({ target }) => holdsWork(target) && setTyped(true)}
        onSubmit={send}
      >
        {children}
      </form>
    </Dialog>
  );
}
