import { isEmail } from '@highline/contract';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isNetworkFault } from '../../api/errors.ts';
import { highlight, SHORT_HIGHLIGHT_SECONDS } from '../../api/highlights.ts';
import { useAction, useShowError } from '../../api/useAction.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import '../../ui/form/form.css';
import '../../ui/form/inputs.css';
import { useFocusFault } from '../../ui/form/useFocusFault.ts';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { toast } from '../../ui/toasts.ts';
import { addContact, type NewContact, organizationQuery } from './organizations.api.ts';

const empty: NewContact = { name: '', email: '' };

/** The form. A failure is shown and the form starts over (ORG-06), unless the request never reached the server. */
function ContactForm({ org }: { org: string }): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const showError = useShowError({ when: 'not_found', to: '/organization' });
  const [contact, setContact] = useState(empty);
  const [badEmail, setBadEmail] = useState(false);
  const [added, setAdded] = useState<string>();
  const startOver = async (error: unknown) => {
    await showError(error);
    if (!isNetworkFault(error)) setContact(empty);
  };
  const add = useAction<NewContact, void>({
    run: (input) => addContact(org, input, language),
    onDone: (_, { email }) => setAdded(email),
    onError: (error) => {
      void startOver(error);
      return true;
    },
  });
  const filled = contact.name.trim() !== '' && contact.email.trim() !== '';
  /** @returns whether it was added */
  const save = async (): Promise<boolean> => {
    if (!filled || add.busy) return false;
    const isGood = isEmail(contact.email);
    setBadEmail(!isGood);
    return isGood && add.attempt({ name: contact.name.trim(), email: contact.email.trim() });
  };
  const leaving = useUnsavedChanges(added === undefined && JSON.stringify(contact) !== JSON.stringify(empty), save);
  // Open the page only after the form counts as saved, or leaving would warn about unsaved changes.
  useEffect(() => {
    if (added === undefined) return;
    highlight('organizations', [org], SHORT_HIGHLIGHT_SECONDS);
    toast(t('organizations.contact.done', { email: added }));
    if (!leaving.current) void navigate({ to: '/organization/setting', search: { org } });
  }, [added, leaving, navigate, org, t]);
  const form = useFocusFault(badEmail);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <form ref={form} className="form" noValidate onSubmit={submit}>
      <TextInput
        label={t('organizations.contact.name')}
        withAsterisk
        aria-required
        autoComplete="off"
        maxLength={100}
        value={contact.name}
        onChange={(event) => setContact({ ...contact, name: event.currentTarget.value })}
      />
      <TextInput
        type="email"
        label={t('organizations.contact.email')}
        description={t('organizations.contact.hint')}
        withAsterisk
        aria-required
        autoComplete="off"
        value={contact.email}
        error={badEmail && t('organizations.contact.badEmail')}
        onChange={(event) => {
          setBadEmail(false);
          setContact({ ...contact, email: event.currentTarget.value });
        }}
      />
      <div className="form__actions">
        <ActionButton
          type="submit"
          variant="filled"
          loading={add.busy}
          disabledReason={filled ? undefined : t('organizations.contact.bothFirst')}
        >
          {t('organizations.contact.submit')}
        </ActionButton>
      </div>
    </form>
  );
}

/** /organization/addUser?org=…: one more contact of an organization (ORG-05); without one back to the list (NAV-05). */
export function ContactAdd(): ReactNode {
  const { t } = useTranslation();
  const { org } = useSearch({ from: '/signed-in/organization/addUser' });
  const name = useQuery(organizationQuery(org)).data?.name;
  if (org === undefined) return <Navigate to="/organization" search={{}} replace />;
  return (
    <div className="page">
      <PageHeader
        title={t('organizations.contact.title')}
        back={
          <Link to="/organization/setting" search={{ org }}>
            {name ?? t('organizations.setting.title')}
          </Link>
        }
      />
      <div className="card panel">
        <ContactForm key={org} org={org} />
      </div>
    </div>
  );
}
