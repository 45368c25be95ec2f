import { isEmail, tidyEmail } from '@highline/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../api/EntityForm.tsx';
import { highlight, SHORT_HIGHLIGHT_SECONDS } from '../../api/highlights.ts';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { useShowError } from '../../api/useAction.ts';
import { useSession } from '../../api/session.ts';
import { lastSearch } from '../../ui/list/last-search.ts';
import { showMessage } from '../../ui/dialogs.ts';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { toast } from '../../ui/toasts.ts';
import { type AdminSwitch, AdminSwitchFields, switchFault, switchedOff, useSaveNewSwitch } from '../notifications/index.ts';
import { PersonFields } from './PersonFields.tsx';
import { RoleField } from './RoleField.tsx';
import { giveRole } from '../roles/index.ts';
import { addUser, isUserRole, type NewUser, type User } from './users.api.ts';

const empty: NewUser = { name: '', email: '', role: 'user' };

/** /users/add: a username and an email address; the person is invited by email (USR-02). */
export function UserAdd(): ReactNode {
  const { t } = useTranslation();
  const { org, email: own } = useSession();
  const language = useLanguage();
  const navigate = useNavigate();
  const [notices, setNotices] = useState<AdminSwitch>(switchedOff);
  const saveSwitch = useSaveNewSwitch();
  const showError = useShowError();
  const showSwitchFailed = () => showMessage({ title: t('ui.dialog.errorTitle'), text: t('notifications.admin.addedOnly') });
  const form = useEntityForm<NewUser, User>({
    stored: { values: empty },
    required: { name: t('users.column.name'), email: t('users.column.email') },
    blocked: ({ name, email, role }) => {
      if (name.trim() === '' || email.trim() === '') return t('users.add.bothFirst');
      const fault = role === 'admin' ? switchFault(notices, []) : undefined;
      return fault && t(`notifications.admin.${fault}`);
    },
    validate: ({ email }) => {
      if (!isEmail(email)) return { email: t('users.add.badEmail') };
      return tidyEmail(email) === own ? { email: t('users.remove.isSelf') } : {};
    },
    fieldOf: ({ key }) => (key === 'account.exists' ? 'email' : undefined),
    save: async (input) => {
      const person = await addUser(org?.id ?? '', input, language);
      // The user exists, whether or not the notifications were saved: failing here would lead to adding the user twice.
      if (input.role === 'admin') await saveSwitch(person.email, notices).catch(showSwitchFailed);
      if (!isUserRole(input.role)) await giveRole(person.id, input.role).catch(showError);
      return person;
    },
    onSaved: ({ id, email }, leaving) => {
      highlight('users', [id], SHORT_HIGHLIGHT_SECONDS);
      toast(t('users.add.done', { email }));
      if (!leaving) void navigate({ to: '/users', search: {} });
    },
    draft: 'user-add',
  });
  const { role } = form.values;
  const back = (
    <Link to="/users" search={lastSearch('/users')}>
      {t('users.title')}
    </Link>
  );
  return (
    <div className="page">
      <PageHeader title={t('users.add.title')} back={back} />
      <div className="card panel">
        <PageForm form={form} submit={t('users.add.submit')}>
          <PersonFields form={form} hint={t('users.add.hint')} />
          <RoleField role={role} field={form.text('role')} />
          {role === 'admin' && <AdminSwitchFields state={notices} onChange={setNotices} />}
        </PageForm>
      </div>
    </div>
  );
}
