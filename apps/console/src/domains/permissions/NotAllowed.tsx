import { signInPolicy, type Role } from '@highline/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { call } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { closureOf, rightOfPage } from '../../routing/page-rights.ts';
import { useAreaName } from '../api-keys/index.ts';
import { subjectOf } from './subject.ts';

/** The admins of the own organization. */
const adminsQuery = queryOptions({
  queryKey: ['admins'],
  queryFn: async ({ signal }) => (await call(signInPolicy.listAdmins, { signal })).result.list,
  meta: { topics: ['accounts'] },
});

/** Whom a user asks: the admins by name, each with the address. */
function Admins({ organization }: { organization: string }): ReactNode {
  const { t } = useTranslation();
  const { data: admins = [] } = useQuery(adminsQuery);
  if (admins.length === 0) return null;
  return (
    <>
      <p>{t('permissions.ask', { organization })}</p>
      <ul>
        {admins.map(({ name, email }) => (
          <li key={email}>
            {name} · <a href={`mailto:${email}`}>{email}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

function WhomToAsk({ roles }: { roles: readonly Role[] }): ReactNode {
  const { t } = useTranslation();
  const { role, org, mainAccountName, ownRole, visit } = useSession();
  if (role === 'main') return roles.includes('main') ? null : <p>{t('permissions.ofOrganization')}</p>;
  if (!roles.includes('admin')) return <p>{t('permissions.askMain', { company: mainAccountName })}</p>;
  return (role === 'user' || ownRole !== null || visit !== null) && org !== null ? <Admins organization={org.name} /> : null;
}

/** The right that a page needs and an own role does not have (IAM-03). */
function MissingRight({ path, role }: { path: string; role: string }): ReactNode {
  const { t } = useTranslation();
  const areaName = useAreaName();
  const right = rightOfPage(path);
  if (typeof right !== 'string') return <p>{t('permissions.ownRoleNever', { role })}</p>;
  const [area = '', access] = right.split('.');
  const named = t(access === 'write' ? 'permissions.write' : 'permissions.read', { area: areaName(area) });
  return <p>{t('permissions.ownRole', { role, right: named })}</p>;
}

/** In place of a page that the role may not open: what is there, who may open it, and whom to ask (IAM-08). */
export function NotAllowed({ path, roles }: { path: string; roles: readonly Role[] }): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const { role, ownRole } = session;
  const subject = subjectOf(path);
  const closure = roles.includes(role) ? closureOf(session, path) : undefined;
  const named = roles.map((each) => t(`shell.role.${each}`)).join(t('ui.between'));
  return (
    <div className="page">
      <PageHeader title={t('permissions.title')} />
      <section className="card panel panel--stack" aria-label={t('permissions.title')}>
        {subject !== undefined && <p>{t(`permissions.subject.${subject}`)}</p>}
        {closure === 'ownRole' && <MissingRight path={path} role={ownRole?.name ?? ''} />}
        {closure === 'visit' && <p>{t('permissions.visit')}</p>}
        {closure === 'limited' && <p>{t('errors.permission_limited')}</p>}
        {closure === undefined && <p>{t('permissions.roles', { roles: named, role: t(`shell.role.${role}`) })}</p>}
        <WhomToAsk roles={roles} />
        <div className="form__actions">
          <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('permissions.home')}</Button>
        </div>
      </section>
    </div>
  );
}
