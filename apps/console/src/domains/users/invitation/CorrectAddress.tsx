import { Button, TextInput } from '@mantine/core';
import { accounts, isEmail } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client.ts';
import { ApiError } from '../../../api/errors.ts';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toast } from '../../../ui/toasts.ts';

export interface CorrectAddressProps {
  readonly person: { readonly id: string; readonly email: string };
  /** Refetched afterwards, also after a failure: the person may have accepted meanwhile. */
  readonly queryKey: readonly unknown[];
}

function AddressDialog({ person, queryKey, onClose }: CorrectAddressProps & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const client = useQueryClient();
  const [email, setEmail] = useState(person.email);
  const [fault, setFault] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const typed = email.trim().toLowerCase();
  /** Shown at the field, where it can be corrected. */
  const reject = (reason: string) => {
    setFault(reason);
    input.current?.focus();
  };
  const refresh = () => void client.invalidateQueries({ queryKey });
  const correct = useAction<string, unknown>({
    run: (address) => call(accounts.correctInvitation, { params: { id: person.id }, body: { email: address } }),
    onDone: () => {
      toast(t('users.add.done', { email: typed }));
      refresh();
      onClose();
    },
    onError: (error) => {
      refresh();
      if (!(error instanceof ApiError) || error.key !== 'account.exists') return false;
      reject(errorText(error));
      return true;
    },
  });
  const missing = typed === '' ? t('ui.form.required', { field: t('users.column.email') }) : undefined;
  const same = typed === person.email ? t('users.invitation.sameAddress') : undefined;
  return (
    <FormDialog
      title={t('users.invitation.correct')}
      submit={t('users.invitation.send')}
      busy={correct.busy}
      disabledReason={missing ?? same}
      onSubmit={() => {
        if (correct.busy || missing !== undefined || same !== undefined) return;
        if (isEmail(typed)) correct.run(typed);
        else reject(t('organizations.contact.badEmail'));
      }}
      onClose={onClose}
    >
      <p className="dim">{t('users.invitation.correctMeans', { email: person.email })}</p>
      <TextInput
        ref={input}
        type="email"
        label={t('users.column.email')}
        withAsterisk
        aria-required
        autoComplete="off"
        value={email}
        error={fault ?? missing}
        onChange={(event) => {
          setFault(undefined);
          setEmail(event.currentTarget.value);
        }}
      />
    </FormDialog>
  );
}

/** Corrects the email address of a user who did not accept the invitation; for the main account only. */
export function CorrectAddress({ person, queryKey }: CorrectAddressProps): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const label = t('users.invitation.correct');
  return (
    <>
      <Button aria-label={`${label}: ${person.email}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <AddressDialog person={person} queryKey={queryKey} onClose={() => setOpen(false)} />}
    </>
  );
}
