import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { highlight, SHORT_HIGHLIGHT_SECONDS } from '../../api/highlights.ts';
import { useShowError } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useSession } from '../../app/session/session.ts';
import '../../ui/form/form.css';
import '../../ui/form/inputs.css';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { Privileges } from './Privileges.tsx';
import { roleOf, saveUser, type User, type UserRole, userQuery } from './users.api.ts';

/** Name and role of a user; Save after a change (USR-03, SHR-06). */
function EditUser({ user }: { user: User }): ReactNode {
  const { t } = useTranslation();
  const { org } = useSession();
  const client = useQueryClient();
  const showError = useShowError();
  const [typed, setTyped] = useState<{ name?: string; role?: UserRole }>({});
  const [saving, setSaving] = useState(false);
  const values = { name: typed.name ?? user.name, role: typed.role ?? roleOf(user) };
  const dirty = values.name.trim() !== user.name || values.role !== roleOf(user);

  /** @returns whether it was saved */
  const save = async (): Promise<boolean> => {
    setSaving(true);
    try {
      await saveUser(user, org?.id ?? '', { name: values.name.trim(), role: values.role });
      highlight('users', [user.id], SHORT_HIGHLIGHT_SECONDS);
      toast(t('ui.done.edited'));
      await client.invalidateQueries({ queryKey: ['users'] });
      setTyped({});
      return true;
    } catch (error) {
      await client.invalidateQueries({ queryKey: ['users', 'one', user.id] });
      await showError(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  useUnsavedChanges(dirty, save);
  const nameMissing = values.name.trim() === '' ? t('ui.form.required', { field: t('users.column.name') }) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty && nameMissing === undefined && !saving) void save();
  };
  return (
    <form className="form" noValidate onSubmit={submit}>
      <TextInput
        label={t('users.column.name')}
        value={values.name}
        maxLength={100}
        error={nameMissing}
        onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
      />
      <TextInput label={t('users.column.email')} value={user.email} readOnly />
      <NativeSelect
        label={t('users.role.label')}
        value={values.role}
        data={[
          { value: 'admin', label: t('users.role.admin') },
          { value: 'user', label: t('users.role.user') },
        ]}
        onChange={(event) => setTyped({ ...typed, role: event.currentTarget.value as UserRole })}
      />
      <Privileges role={values.role} />
      <div className="form__actions">
        <SaveButton dirty={dirty} saving={saving} reason={nameMissing} />
      </div>
    </form>
  );
}

/** /users/detail?user=…: edit a user (USR-03); without one back to the list (NAV-05). */
export function UserDetail(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { user: id } = useSearch({ from: '/signed-in/users/detail' });
  const query = useQuery(userQuery(id));
  if (id === undefined) return <Navigate to="/users" search={{}} replace />;
  const back = (
    <Link to="/users" search={{}}>
      {t('users.title')}
    </Link>
  );
  return (
    <div className="page">
      <PageHeader title={query.data?.name ?? t('users.detail.title')} back={back} />
      <div className="card panel">
        {query.data === undefined && query.error !== null && (
          <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
        )}
        {query.data === null && <EmptyState text={t('users.detail.gone')} />}
        {query.data !== undefined && query.data !== null && <EditUser key={query.data.id} user={query.data} />}
      </div>
    </div>
  );
}
