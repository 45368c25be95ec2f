import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, isNetworkFault } from '../../api/errors.ts';
import { highlight, SHORT_HIGHLIGHT_SECONDS } from '../../api/highlights.ts';
import { useShowError } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useSession } from '../../session/session.ts';
import { showMessage } from '../../ui/dialogs.ts';
import '../../ui/form/form.css';
import '../../ui/form/inputs.css';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { SavedAdminSwitch } from '../notifications/AdminSwitch.tsx';
import { useAdminSwitch } from '../notifications/useAdminSwitch.ts';
import { InvitationState } from './invitation/InvitationState.tsx';
import { SendAgain } from './invitation/SendAgain.tsx';
import { Privileges } from './Privileges.tsx';
import './users.css';
import { useResetFactor } from './second-factor/useResetFactor.ts';
import { roleOf, saveUser, type TaggedUser, type UserDetails, type UserRole, userQuery } from './users.api.ts';

/** Turn off the second factor of a user who lost it. */
function ResetFactor({ user }: { user: UserDetails }): ReactNode {
  const { t } = useTranslation();
  const reset = useResetFactor(user, ['users', 'one', user.id]);
  return (
    <section className="card panel panel--stack" aria-labelledby="second-factor">
      <h2 id="second-factor">{t('users.secondFactor.title')}</h2>
      <p className="dim">{t('users.secondFactor.resetHint')}</p>
      <div className="form__actions">
        <Button loading={reset.busy} onClick={reset.confirm}>
          {t('users.secondFactor.reset')}
        </Button>
      </div>
    </section>
  );
}

/** The invitation of a user without a password: whether its link is valid, and a button for a new one. */
function OpenInvitation({ user }: { user: UserDetails }): ReactNode {
  const { t } = useTranslation();
  if (user.invitation === null) return null;
  return (
    <section className="card panel panel--stack" aria-labelledby="invitation">
      <h2 id="invitation">{t('users.invitation.title')}</h2>
      <p>
        <InvitationState invitation={user.invitation} />
      </p>
      <p className="dim">{t('users.invitation.hint', { email: user.email })}</p>
      <div className="form__actions">
        <SendAgain person={user} queryKey={['users', 'one', user.id]} />
      </div>
    </section>
  );
}

/** Name and role of a user; Save after a change (USR-03, SHR-06). */
function EditUser({ shown }: { shown: TaggedUser }): ReactNode {
  const { t } = useTranslation();
  const { org } = useSession();
  const client = useQueryClient();
  const showError = useShowError({ when: 'account.not_found', to: '/users' });
  /** The values shown when the user began to type; until then the form follows what others save. */
  const [begun, setBegun] = useState<TaggedUser>();
  const [typed, setTyped] = useState<{ name?: string; role?: UserRole }>({});
  const [saving, setSaving] = useState(false);
  const base = begun ?? shown;
  const { user } = base;
  const values = { name: typed.name ?? user.name, role: typed.role ?? roleOf(user) };
  const notices = useAdminSwitch(user.email, values.role === 'admin');
  const dirty = values.name.trim() !== user.name || values.role !== roleOf(user) || notices.dirty;
  const type = (change: typeof typed) => {
    setBegun(base);
    setTyped({ ...typed, ...change });
  };

  /** @returns whether it was saved */
  const save = async (): Promise<boolean> => {
    setSaving(true);
    try {
      // Saved first: otherwise the next attempt would treat the saved name or role as another user's change.
      if (notices.dirty && !(await notices.save())) return false;
      const saved = { name: values.name.trim(), role: values.role };
      await saveUser(base, org?.id ?? '', saved);
      // Saved from here on: leaving asks nothing while the page loads the stored values.
      setBegun({ user: { ...user, name: saved.name, role: saved.role === 'admin' ? 'super' : 'vendor' }, etag: undefined });
      setTyped({});
      highlight('users', [user.id], SHORT_HIGHLIGHT_SECONDS);
      toast(t('ui.done.edited'));
      await client.invalidateQueries({ queryKey: ['users'] });
      setBegun(undefined);
      return true;
    } catch (error) {
      await explain(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const explain = async (error: unknown): Promise<void> => {
    if (isNetworkFault(error)) return showError(error);
    await client.refetchQueries({ queryKey: ['users', 'one', user.id] });
    const current = client.getQueryData<TaggedUser | null>(userQuery(user.id).queryKey);
    if (!(error instanceof ApiError) || error.key !== 'conflict.stale' || current === null || current === undefined)
      return showError(error);
    // The input stays, and is now based on the current values.
    setBegun(current);
    const { name } = current.user;
    const role = t(`users.role.${roleOf(current.user)}`);
    await showMessage({ title: t('ui.dialog.warningTitle'), text: t('users.detail.stale', { name, role }) });
  };
  useUnsavedChanges(dirty, save);
  const nameMissing = values.name.trim() === '' ? t('ui.form.required', { field: t('users.column.name') }) : undefined;
  const fault = nameMissing ?? notices.reason;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty && fault === undefined && !saving) void save();
  };
  return (
    <form className="form" noValidate onSubmit={submit}>
      <TextInput
        label={t('users.column.name')}
        value={values.name}
        maxLength={100}
        error={nameMissing}
        onChange={(event) => type({ name: event.currentTarget.value })}
      />
      <TextInput label={t('users.column.email')} value={user.email} readOnly />
      <NativeSelect
        label={t('users.role.label')}
        value={values.role}
        data={[
          { value: 'admin', label: t('users.role.admin') },
          { value: 'user', label: t('users.role.user') },
        ]}
        onChange={(event) => type({ role: event.currentTarget.value as UserRole })}
      />
      <Privileges role={values.role} />
      {values.role === 'admin' && <SavedAdminSwitch notices={notices} />}
      <div className="form__actions">
        <SaveButton dirty={dirty} saving={saving} reason={fault} />
      </div>
    </form>
  );
}

/** /users/detail?user=…: edit a user (USR-03); without one back to the list (NAV-05). */
export function UserDetail(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { user: id } = useSearch({ from: '/signed-in/users/detail' });
  const { id: self } = useSession();
  const query = useQuery(userQuery(id));
  const shown = query.data;
  if (id === undefined) return <Navigate to="/users" search={{}} replace />;
  const back = (
    <Link to="/users" search={{}}>
      {t('users.title')}
    </Link>
  );
  return (
    <div className="page">
      <PageHeader title={shown?.user.name ?? t('users.detail.title')} back={back} />
      <div className="card panel">
        {query.isPending && <Skeleton lines={5} />}
        {shown === undefined && query.error !== null && (
          <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
        )}
        {shown === null && <EmptyState text={t('users.detail.gone')} />}
        {shown !== undefined && shown !== null && <EditUser key={shown.user.id} shown={shown} />}
      </div>
      {shown !== undefined && shown !== null && <OpenInvitation user={shown.user} />}
      {shown?.user.secondFactor === true && shown.user.id !== self && <ResetFactor user={shown.user} />}
    </div>
  );
}
