import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { FormDialog, type FormDialogProps } from '../ui/FormDialog.tsx';
import { DraftOffer } from '../ui/form/DraftOffer.tsx';
import '../ui/form/form.css';
import { SaveButton } from '../ui/form/SaveButton.tsx';
import type { EntityForm } from './entity-form.ts';

type FormState = Pick<EntityForm<never>, 'dirty' | 'savable' | 'saving' | 'reason' | 'ref' | 'draft' | 'submit'>;

export interface PageFormProps {
  readonly form: FormState;
  /** The label of the Save button, if it is another one. */
  readonly submit?: string;
  /** Stands before the Save button. */
  readonly cancel?: ReactNode;
  readonly children: ReactNode;
}

/** The form of a page: the offer of a draft, its fields, and Save. */
export function PageForm({ form, submit, cancel, children }: PageFormProps): ReactNode {
  const { ref, draft, savable, saving, reason, submit: onSubmit } = form;
  return (
    <form ref={ref} className="form" noValidate onSubmit={onSubmit}>
      {draft !== undefined && <DraftOffer {...draft} />}
      {children}
      <div className="form__actions">
        {cancel}
        <SaveButton dirty={savable} saving={saving} reason={reason} {...(submit === undefined ? {} : { label: submit })} />
      </div>
    </form>
  );
}

/** The form in a dialog. */
export function EntityDialog({
  form,
  ...props
}: { readonly form: FormState } & Pick<FormDialogProps, 'title' | 'submit' | 'onClose' | 'children' | 'wide'>): ReactNode {
  const { t } = useTranslation();
  const disabledReason = form.reason ?? (form.savable ? undefined : t('ui.nothingChanged'));
  return (
    <FormDialog
      {...props}
      busy={form.saving}
      dirty={form.dirty}
      disabledReason={disabledReason}
      onSubmit={form.submit}
      form={form.ref}
    />
  );
}
