import { isEmail, tidyEmail } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { useSession } from '../../api/session.ts';
import { useLanguage } from '../../ui/language.ts';
import { toast } from '../../ui/toasts.ts';
import { PersonFields } from '../users/index.ts';
import { inviteColleague, type NewColleague } from './colleagues.api.ts';

const empty: NewColleague = { name: '', email: '' };

/** Name and email address of a colleague, who is invited by email. */
export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }): ReactNode {
  const { t } = useTranslation();
  const { email: own } = useSession();
  const language = useLanguage();
  const form = useEntityForm<NewColleague, string>({
    stored: { values: empty },
    leave: 'free',
    required: { name: t('colleagues.add.name'), email: t('colleagues.add.email') },
    blocked: ({ name, email }) => (name.trim() === '' || email.trim() === '' ? t('users.add.bothFirst') : undefined),
    validate: ({ email }) => {
      if (!isEmail(email)) return { email: t('users.add.badEmail') };
      return tidyEmail(email) === own ? { email: t('colleagues.add.isSelf') } : {};
    },
    fieldOf: ({ key }) => (key === 'account.exists' ? 'email' : undefined),
    save: async (colleague) => {
      await inviteColleague(colleague, language);
      return tidyEmail(colleague.email);
    },
    onSaved: (email) => {
      toast(t('users.add.done', { email }));
      onAdded();
    },
  });
  return (
    <EntityDialog form={form} title={t('colleagues.add.title')} submit={t('colleagues.add.submit')} onClose={onClose}>
      <p className="dim">{t('colleagues.add.means')}</p>
      <PersonFields form={form} hint={t('users.add.hint')} />
    </EntityDialog>
  );
}
