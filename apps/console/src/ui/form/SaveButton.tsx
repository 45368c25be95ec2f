import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from '../ActionButton.tsx';

export interface SaveButtonProps {
  readonly dirty: boolean;
  readonly saving: boolean;
  readonly label?: string;
  readonly onClick?: () => void;
  /** A reason of the form's own, before 'nothing changed yet': too small a role, for one. */
  readonly reason?: string | undefined;
  readonly form?: string;
}

/** Save: disabled until something changed, with that reason (SHR-06). */
export function SaveButton({ dirty, saving, label, onClick, reason, form }: SaveButtonProps): ReactNode {
  const { t } = useTranslation();
  return (
    <ActionButton
      variant="filled"
      type={onClick === undefined ? 'submit' : 'button'}
      loading={saving}
      disabledReason={reason ?? (dirty ? undefined : t('ui.nothingChanged'))}
      {...(onClick === undefined ? {} : { onClick })}
      {...(form === undefined ? {} : { form })}
    >
      {label ?? t('ui.save')}
    </ActionButton>
  );
}
