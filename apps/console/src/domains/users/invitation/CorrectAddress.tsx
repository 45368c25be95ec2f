import { Button } from '../../../ui/controls/Button.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { accounts, isEmail, tidyEmail } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { call } from '../../../api/client.ts';
import { EntityDialog } from '../../../api/EntityForm.tsx';
import { useEntityForm } from '../../../api/useEntityForm.ts';
import { toast } from '../../../ui/toasts.ts';

export interface CorrectAddressProps {
  readonly person: { readonly id: string; readonly email: string };
  /** Refetched afterwards, also after a failure: the person may have accepted meanwhile. */
  readonly queryKey: readonly unknown[];
}

function AddressDialog({ person, queryKey, onClose }: CorrectAddressProps & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useEntityForm<{ email: string }, string>({
    stored: { values: { email: person.email } },
    leave: 'free',
    normalize: ({ email }) => ({ email: tidyEmail(email) }),
    required: { email: t('users.column.email') },
    blocked: ({ email }) => (tidyEmail(email) === person.email ? t('users.invitation.sameAddress') : undefined),
    validate: ({ email }) => (isEmail(email) ? {} : { email: t('organizations.contact.badEmail') }),
    fieldOf: ({ key }) => (key === 'account.exists' ? 'email' : undefined),
    save: async ({ email }) => {
      const correction = call(accounts.correctInvitation, { params: { id: person.id }, body: { email } });
      await correction.finally(() => void client.invalidateQueries({ queryKey }));
      return email;
    },
    onSaved: (email) => {
      toast(t('users.add.done', { email }));
      onClose();
    },
  });
  return (
    <EntityDialog form={form} title={t('users.invitation.correct')} submit={t('users.invitation.send')} onClose={onClose}>
      <p className="dim">{t('users.invitation.correctMeans', { email: person.email })}</p>
      <TextInput type="email" autoComplete="off" {...form.text('email')} />
    </EntityDialog>
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
