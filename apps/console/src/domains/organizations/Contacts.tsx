import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { ErrorState } from '../../ui/states.tsx';
import { CorrectAddress, InvitationState, SendAgain } from '../users/index.ts';
import { contactsQuery } from './organizations.api.ts';

/** The contacts of the organization, and a way to add one (ORG-05). Invitations of admins are listed with the admins. */
export function Contacts({ org }: { org: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = contactsQuery(org);
  const { data = [], error, refetch } = useQuery(query);
  return (
    <section className="card panel panel--stack" aria-labelledby="contacts">
      <h2 id="contacts">{t('organizations.setting.contacts')}</h2>
      {data.length === 0 && error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {data.length > 0 && (
        <ul className="organization-users">
          {data.map((contact) => (
            <li key={contact.id} className="organization-person">
              <span className="organization-person__who">
                {contact.name} <span className="dim">{contact.email}</span>
              </span>
              {contact.invitation !== null && contact.role !== 'super' && (
                <span className="organization-person__invitation">
                  <InvitationState invitation={contact.invitation} />
                  <SendAgain person={contact} queryKey={query.queryKey} inRow />
                  <CorrectAddress person={contact} queryKey={query.queryKey} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link to="/organization/addUser" search={{ org }}>
          {t('organizations.setting.addContact')}
        </Link>
      </p>
    </section>
  );
}
