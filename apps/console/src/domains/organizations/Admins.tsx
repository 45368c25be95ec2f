import { Button } from '../../ui/controls/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { ErrorState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { CorrectAddress, InvitationState, SendAgain, useResetFactor } from '../users/index.ts';
import { type Admin, adminsQuery } from './organizations.api.ts';

/** One admin; the main account can reset the second factor of an admin who lost phone and recovery codes. */
function AdminRow({ admin, org }: { admin: Admin; org: string }): ReactNode {
  const { t } = useTranslation();
  const reset = useResetFactor(admin, adminsQuery(org).queryKey);
  return (
    <li className="organization-person">
      <span className="organization-person__who">
        {admin.name} <span className="dim">{admin.email}</span>
      </span>
      {admin.invitation === null ? (
        <StatusDot tone={admin.secondFactor ? 'ok' : 'idle'}>
          {t(admin.secondFactor ? 'organizations.admins.factorOn' : 'organizations.admins.factorOff')}
        </StatusDot>
      ) : (
        <span className="organization-person__invitation">
          <InvitationState invitation={admin.invitation} />
          <SendAgain person={admin} queryKey={adminsQuery(org).queryKey} inRow />
          <CorrectAddress person={admin} queryKey={adminsQuery(org).queryKey} />
        </span>
      )}
      {admin.secondFactor && (
        <Button loading={reset.busy} aria-label={`${t('users.secondFactor.reset')}: ${admin.email}`} onClick={reset.confirm}>
          {t('users.secondFactor.reset')}
        </Button>
      )}
    </li>
  );
}

/** The admins of an organization: whether they accepted, and whether they use a second factor. */
export function Admins({ org }: { org: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch } = useQuery(adminsQuery(org));
  return (
    <section className="card panel panel--stack" aria-labelledby="admins">
      <h2 id="admins">{t('organizations.admins.title')}</h2>
      {data === undefined && error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {data?.total === 0 && <p className="dim">{t('organizations.admins.none')}</p>}
      {data !== undefined && data.total > 0 && (
        <ul className="organization-users">
          {data.list.map((admin) => (
            <AdminRow key={admin.id} admin={admin} org={org} />
          ))}
        </ul>
      )}
      {data !== undefined && data.total > data.list.length && (
        <p className="dim">
          {t('organizations.admins.more', { shown: formatNumber(data.list.length), total: formatNumber(data.total) })}
        </p>
      )}
    </section>
  );
}
