import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../api/EntityForm.tsx';
import { highlight, SHORT_HIGHLIGHT_SECONDS } from '../../api/highlights.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { reload, useEntityForm } from '../../api/useEntityForm.ts';
import { useSession } from '../../api/session.ts';
import { lastSearch } from '../../ui/list/last-search.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { formatDate } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { SavedAdminSwitch, useAdminSwitch } from '../notifications/index.ts';
import { InvitationState } from './invitation/InvitationState.tsx';
import { SendAgain } from './invitation/SendAgain.tsx';
import { LimitCard } from './limit/LimitCard.tsx';
import { RoleField } from './RoleField.tsx';
import './users.css';
import { SessionsOf } from './SessionsOf.tsx';
import { useResetFactor } from './second-factor/useResetFactor.ts';
import { roleOf, saveUser, type TaggedUser, type UserDetails, userQuery } from './users.api.ts';

const storedOf = ({ user, etag }: TaggedUser) => ({ values: { name: user.name, role: user.ownRole?.id ?? roleOf(user) }, etag });

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

/** Why a user has no role: the directory of the company took it, or the user was a guest. */
function NoAccess({ user: { guestEnded } }: { user: UserDetails }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  // A process of the version before has none.
  if ((guestEnded as string | null | undefined) === undefined || guestEnded === null)
    return <p className="dim">{t('users.role.noneMeans')}</p>;
  return <p className="dim">{t('users.role.guestEnded', { date: formatDate(guestEnded, zone) })}</p>;
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
  const { user } = shown;
  const [pickedAdmin, setPickedAdmin] = useState(false);
  const notices = useAdminSwitch(user.email, pickedAdmin || roleOf(user) === 'admin');
  const form = useEntityForm({
    stored: storedOf(shown),
    normalize: ({ name, role }) => ({ name: name.trim(), role }),
    required: { name: t('users.column.name') },
    blocked: ({ role }) => (role === 'admin' ? notices.reason : undefined),
    alsoDirty: ({ role }) => role === 'admin' && notices.dirty,
    save: async (values, base, rebase) => {
      // Saved first: otherwise the next attempt would treat the saved name or role as another user's change.
      if (values.role === 'admin' && notices.dirty && !(await notices.save())) return false;
      return saveUser(user, org?.id ?? '', base, values, rebase);
    },
    onSaved: () => highlight('users', [user.id], SHORT_HIGHLIGHT_SECONDS),
    done: t('ui.done.edited'),
    refresh: ['users', 'roles'],
    stale: reload(userQuery(user.id), (current) => {
      const { values, etag } = storedOf(current);
      const named = current.user.ownRole?.name ?? t(`users.role.${roleOf(current.user)}`);
      return { values, etag, text: t('users.detail.stale', { name: values.name, role: named }) };
    }),
    gone: { when: 'account.not_found', to: '/users' },
    draft: `user-${user.id}`,
  });
  const { role } = form.values;
  return (
    <PageForm form={form}>
      <TextInput maxLength={100} {...form.text('name')} />
      <TextInput label={t('users.column.email')} value={user.email} readOnly />
      {user.roles.length === 0 ? (
        <NoAccess user={user} />
      ) : (
        <RoleField role={role} field={form.text('role')} onPicked={(picked) => picked === 'admin' && setPickedAdmin(true)} />
      )}
      {role === 'admin' && <SavedAdminSwitch notices={notices} />}
    </PageForm>
  );
}

/** /users/detail?user=…: edit a user (USR-03). */
export function UserDetail(): ReactNode {
  const { t } = useTranslation();
  const { user: id } = useSearch({ from: '/signed-in/users/detail' });
  const { id: self } = useSession();
  const query = useQuery(userQuery(id));
  const user = query.data?.user;
  const back = (
    <Link to="/users" search={lastSearch('/users')}>
      {t('users.title')}
    </Link>
  );
  return (
    <div className="page">
      <PageHeader title={user?.name ?? t('users.detail.title')} back={back} />
      <div className="card panel">
        <Loaded query={query} gone={t('users.detail.gone')} skeleton={<Skeleton lines={5} />}>
          {(shown) => <EditUser key={shown.user.id} shown={shown} />}
        </Loaded>
      </div>
      {user && user.id !== self && <LimitCard key={user.id} user={user} />}
      {user !== undefined && <OpenInvitation user={user} />}
      {user !== undefined && user.id !== self && (
        <section className="card panel panel--stack" aria-labelledby="sessions-of">
          <h2 id="sessions-of">{t('users.sessionsOf.title')}</h2>
          <SessionsOf person={user} />
        </section>
      )}
      {user?.secondFactor === true && user.id !== self && <ResetFactor user={user} />}
    </div>
  );
}
