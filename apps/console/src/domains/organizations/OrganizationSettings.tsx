import { Button } from '../../ui/controls/Button.tsx';
import { TextInput, Textarea } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../api/EntityForm.tsx';
import { highlight } from '../../api/highlights.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { reload, useEntityForm } from '../../api/useEntityForm.ts';
import { useSession } from '../../api/session.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { TagsField } from '../../ui/form/TagsField.tsx';
import { lastSearch } from '../../ui/list/last-search.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { Admins } from './Admins.tsx';
import { Contacts } from './Contacts.tsx';
import './organizations.css';
import { organizationToEdit, type OrganizationValues, saveOrganization, type TaggedOrganization } from './organizations.api.ts';

const storedOf = ({ organization: { name, phone, address, tags, retentionDays }, etag }: TaggedOrganization) => ({
  values: { name, phone, address, tags, retention: String(retentionDays ?? '') },
  etag,
});

const trimmed = ({ name, phone, address, retention, tags }: OrganizationValues): OrganizationValues => ({
  name: name.trim(),
  phone: phone.trim(),
  address: address.trim(),
  retention: retention.trim(),
  tags,
});

const isRetention = (text: string, most: number) => text === '' || (/^\d{1,4}$/u.test(text) && +text >= 1 && +text <= most);

/** Name, phone, address, tags and retention; the contact's address and the devices only to look at (ORG-04). */
function EditOrganization({ shown }: { shown: TaggedOrganization }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const notAllowed = useNotAllowed('organizations.save');
  const { id, contacter, devices, expire, ended, maxRetentionDays: most } = shown.organization;
  const form = useEntityForm({
    stored: storedOf(shown),
    normalize: trimmed,
    required: { name: t('organizations.column.name') },
    blocked: () => notAllowed,
    validate: ({ retention }) =>
      isRetention(retention, most)
        ? {}
        : { retention: t('organizations.setting.retentionProblem', { most: formatNumber(most) }) },
    save: (values, { etag }) => saveOrganization({ organization: shown.organization, etag }, values),
    onSaved: () => highlight('organizations', [id]),
    done: t('ui.done.edited'),
    refresh: ['organizations'],
    stale: reload(organizationToEdit(id), (current) => {
      const { values, etag } = storedOf(current);
      const retention = values.retention || String(most);
      return {
        values,
        etag,
        text: t('organizations.setting.stale', { ...values, tags: values.tags.join(t('ui.between')), retention }),
      };
    }),
    gone: { when: 'not_found', to: '/organization' },
    startsOver: true,
    draft: `organization-${id}`,
  });
  return (
    <PageForm
      form={form}
      cancel={
        <Button onClick={() => void navigate({ to: '/organization', search: lastSearch('/organization') })}>
          {t('ui.cancel')}
        </Button>
      }
    >
      <TextInput maxLength={200} {...form.text('name')} />
      <TextInput label={t('organizations.setting.contact')} value={contacter} readOnly />
      <TextInput label={t('organizations.column.phone')} maxLength={200} {...form.text('phone')} />
      <Textarea
        label={t('organizations.column.address')}
        rows={3}
        maxLength={1_000}
        {...form.text('address')}
        onChange={(event) => form.set({ address: event.currentTarget.value.replaceAll('\n', ' ') })}
      />
      <TagsField
        value={form.values.tags}
        description={t('organizations.setting.tagsHint')}
        onChange={(tags) => form.set({ tags })}
      />
      <TextInput
        label={t('organizations.setting.retention')}
        description={t('organizations.setting.retentionHint')}
        placeholder={String(most)}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        {...form.text('retention')}
      />
      <TextInput label={t('organizations.setting.ratio')} value={`${expire + ended}/${devices}`} readOnly />
    </PageForm>
  );
}

/** The tab Settings of an organization: what is edited (ORG-04), its contacts and its admins. */
export function OrganizationSettings({ org }: { org: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(organizationToEdit(org));
  // No own role has people.
  const seesPeople = useSession().ownRole === null;
  return (
    <>
      <div className="card panel">
        <Loaded query={query} gone={t('organizations.setting.gone')} skeleton={<Skeleton lines={5} />}>
          {(shown) => <EditOrganization key={shown.organization.id} shown={shown} />}
        </Loaded>
      </div>
      {seesPeople && query.data !== undefined && query.data !== null && (
        <>
          <Contacts org={org} />
          <Admins org={org} />
        </>
      )}
    </>
  );
}
