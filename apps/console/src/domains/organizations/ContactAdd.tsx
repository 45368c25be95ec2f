import { isEmail } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../api/EntityForm.tsx';
import { highlight, SHORT_HIGHLIGHT_SECONDS } from '../../api/highlights.ts';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { toast } from '../../ui/toasts.ts';
import { PersonFields } from '../users/index.ts';
import { addContact, type NewContact } from './organizations.api.ts';
import { organizationQuery } from '../../entities/organizations/organization.api.ts';

const empty: NewContact = { name: '', email: '' };

/** The form. A failure is shown and the form starts over (ORG-06), unless the request never reached the server. */
function ContactForm({ org }: { org: string }): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const form = useEntityForm<NewContact, string>({
    stored: { values: empty },
    normalize: ({ name, email }) => ({ name: name.trim(), email: email.trim() }),
    required: { name: t('organizations.contact.name'), email: t('organizations.contact.email') },
    blocked: ({ name, email }) => (name.trim() === '' || email.trim() === '' ? t('organizations.contact.bothFirst') : undefined),
    validate: ({ email }) => (isEmail(email) ? {} : { email: t('organizations.contact.badEmail') }),
    save: async (contact) => {
      await addContact(org, contact, language);
      return contact.email;
    },
    onSaved: (email, leaving) => {
      highlight('organizations', [org], SHORT_HIGHLIGHT_SECONDS);
      toast(t('organizations.contact.done', { email }));
      if (!leaving) void navigate({ to: '/organization/setting', search: { org } });
    },
    gone: { when: 'not_found', to: '/organization' },
    startsOver: true,
    draft: `contact-${org}`,
  });
  return (
    <PageForm form={form} submit={t('organizations.contact.submit')}>
      <PersonFields form={form} hint={t('organizations.contact.hint')} />
    </PageForm>
  );
}

/** /organization/addUser?org=…: one more contact of an organization (ORG-05). */
export function ContactAdd(): ReactNode {
  const { t } = useTranslation();
  const { org = '' } = useSearch({ from: '/signed-in/organization/addUser' });
  const name = useQuery(organizationQuery(org)).data?.name;
  const back = (
    <Link to="/organization/setting" search={{ org }}>
      {name ?? t('organizations.setting.title')}
    </Link>
  );
  return (
    <div className="page">
      <PageHeader title={t('organizations.contact.title')} back={back} />
      <div className="card panel">
        <ContactForm key={org} org={org} />
      </div>
    </div>
  );
}
