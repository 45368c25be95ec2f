import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, type Ref, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from './ActionButton.tsx';
import { Dialog } from './Dialog.tsx';
import './form/form.css';
import './form/inputs.css';

export interface FormDialogProps {
  readonly title: string;
  /** The label of the submit button. */
  readonly submit: string;
  readonly danger?: boolean;
  readonly wide?: boolean;
  readonly busy?: boolean;
  /** Why it cannot be sent yet. */
  readonly disabledReason?: string | undefined;
  /** Validates the input and sends it. */
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** To find a field in. */
  readonly form?: Ref<HTMLFormElement>;
  readonly children: ReactNode;
}

/** A form in a dialog, with Cancel and a submit button; a click outside loses nothing. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, submit, danger = false, wide = false, busy = false, disabledReason, onSubmit, onClose, form, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      sticky
      wide={wide}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
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
      <form id={id} ref={form} className="form" noValidate onSubmit={send}>
        {children}
      </form>
    </Dialog>
  );
}
