import { NativeSelect, TextInput } from '@mantine/core';
import { isEmail } from '@highline/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { highlight, SHORT_HIGHLIGHT_SECONDS } from '../../api/highlights.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useSession } from '../../session/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { showMessage } from '../../ui/dialogs.ts';
import '../../ui/form/form.css';
import '../../ui/form/inputs.css';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { toast } from '../../ui/toasts.ts';
import { type AdminSwitch, switchedOff, switchFault } from '../notifications/admin-switch.ts';
import { AdminSwitchFields } from '../notifications/AdminSwitch.tsx';
import { useSaveNewSwitch } from '../notifications/useAdminSwitch.ts';
import { Privileges } from './Privileges.tsx';
import { addUser, type NewUser, type User, type UserRole } from './users.api.ts';

const empty: NewUser = { name: '', email: '', role: 'user' };

/** /users/add: a username and an email address; the person is invited by email (USR-02). */
export function UserAdd(): ReactNode {
  const { t } = useTranslation();
  const { org, email: own } = useSession();
  const errorText = useErrorText();
  const language = useLanguage();
  const navigate = useNavigate();
  const [user, setUser] = useState(empty);
  const [notices, setNotices] = useState<AdminSwitch>(switchedOff);
  const saveSwitch = useSaveNewSwitch();
  const [badEmail, setBadEmail] = useState<string>();
  const emailInput = useRef<HTMLInputElement>(null);
  /** Fields that were left empty. */
  const [left, setLeft] = useState<{ readonly name?: boolean; readonly email?: boolean }>({});
  const [added, setAdded] = useState<User>();
  const dirty = added === undefined && JSON.stringify(user) !== JSON.stringify(empty);
  const isAdmin = user.role === 'admin';
  const fault = isAdmin ? switchFault(notices, []) : undefined;
  /** Shown at the field, where it can be corrected. */
  const reject = (reason: string) => {
    setBadEmail(reason);
    emailInput.current?.focus();
  };
  const showSwitchFailed = () => showMessage({ title: t('ui.dialog.errorTitle'), text: t('notifications.admin.addedOnly') });
  const add = useAction<NewUser, User>({
    run: async (input) => {
      const person = await addUser(org?.id ?? '', input, language);
      // The user exists, whether or not the notifications were saved: failing here would lead to adding the user twice.
      if (isAdmin) await saveSwitch(person.email, notices).catch(showSwitchFailed);
      return person;
    },
    onDone: setAdded,
    onError: (error) => {
      if (!(error instanceof ApiError) || error.key !== 'account.exists') return false;
      reject(errorText(error));
      return true;
    },
  });
  const filled = user.name.trim() !== '' && user.email.trim() !== '';
  /** @returns whether it was added */
  const save = async (): Promise<boolean> => {
    if (!filled || fault !== undefined || add.busy) return false;
    if (isEmail(user.email) && user.email.trim().toLowerCase() !== own) return add.attempt(user);
    reject(t(isEmail(user.email) ? 'users.remove.isSelf' : 'users.add.badEmail'));
    return false;
  };
  const leaving = useUnsavedChanges(dirty, save);
  // Open the list only after the form counts as saved, or leaving would warn about unsaved changes.
  useEffect(() => {
    if (added === undefined) return;
    highlight('users', [added.id], SHORT_HIGHLIGHT_SECONDS);
    toast(t('users.add.done', { email: added.email }));
    if (!leaving.current) void navigate({ to: '/users', search: {} });
  }, [added, leaving, navigate, t]);
  const missing = (field: 'name' | 'email') =>
    left[field] === true && user[field].trim() === '' ? t('ui.form.required', { field: t(`users.column.${field}`) }) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <div className="page">
      <PageHeader
        title={t('users.add.title')}
        back={
          <Link to="/users" search={{}}>
            {t('users.title')}
          </Link>
        }
      />
      <div className="card panel">
        <form className="form" noValidate onSubmit={submit}>
          <TextInput
            label={t('users.column.name')}
            withAsterisk
            aria-required
            autoComplete="off"
            maxLength={100}
            value={user.name}
            error={missing('name')}
            onBlur={() => setLeft({ ...left, name: true })}
            onChange={(event) => setUser({ ...user, name: event.currentTarget.value })}
          />
          <TextInput
            ref={emailInput}
            type="email"
            label={t('users.column.email')}
            description={t('users.add.hint')}
            withAsterisk
            aria-required
            autoComplete="off"
            value={user.email}
            error={badEmail ?? missing('email')}
            onBlur={() => setLeft({ ...left, email: true })}
            onChange={(event) => {
              setBadEmail(undefined);
              setUser({ ...user, email: event.currentTarget.value });
            }}
          />
          <NativeSelect
            label={t('users.role.label')}
            value={user.role}
            data={[
              { value: 'user', label: t('users.role.user') },
              { value: 'admin', label: t('users.role.admin') },
            ]}
            onChange={(event) => setUser({ ...user, role: event.currentTarget.value as UserRole })}
          />
          <Privileges role={user.role} />
          {isAdmin && <AdminSwitchFields state={notices} onChange={setNotices} />}
          <div className="form__actions">
            <ActionButton
              type="submit"
              variant="filled"
              loading={add.busy}
              disabledReason={filled ? fault && t(`notifications.admin.${fault}`) : t('users.add.bothFirst')}
            >
              {t('users.add.submit')}
            </ActionButton>
          </div>
        </form>
      </div>
    </div>
  );
}
