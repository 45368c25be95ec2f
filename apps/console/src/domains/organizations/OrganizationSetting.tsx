import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, isNetworkFault } from '../../api/errors.ts';
import { highlight } from '../../api/highlights.ts';
import { useShowError } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { showMessage } from '../../ui/dialogs.ts';
import '../../ui/form/form.css';
import '../../ui/form/inputs.css';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { TagsField } from '../../ui/form/TagsField.tsx';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { Admins } from './Admins.tsx';
import { Contacts } from './Contacts.tsx';
import './organizations.css';
import {
  organizationToEdit,
  type Organization,
  type OrganizationValues,
  saveOrganization,
  type TaggedOrganization,
} from './organizations.api.ts';

const valuesOf = ({ name, phone, address, tags }: Organization): OrganizationValues => ({ name, phone, address, tags });

const trimmed = ({ name, phone, address, tags }: OrganizationValues): OrganizationValues => ({
  name: name.trim(),
  phone: phone.trim(),
  address: address.trim(),
  tags,
});

/** The form's values, and their saving; others' saves are followed until the person begins to type. */
function useEdit(shown: TaggedOrganization) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError({ when: 'not_found', to: '/organization' });
  const [begun, setBegun] = useState<TaggedOrganization>();
  const [typed, setTyped] = useState<Partial<OrganizationValues>>({});
  const [saving, setSaving] = useState(false);
  const base = begun ?? shown;
  const { id } = base.organization;
  const before = valuesOf(base.organization);
  const values = { ...before, ...typed };
  const dirty = JSON.stringify(trimmed(values)) !== JSON.stringify(before);

  const reset = () => {
    setTyped({});
    setBegun(undefined);
  };
  const explain = async (error: unknown): Promise<void> => {
    // Nothing answered: there is nothing new to start over from.
    if (isNetworkFault(error)) return showError(error);
    await client.refetchQueries({ queryKey: ['organizations', 'edit', id] });
    const current = client.getQueryData<TaggedOrganization | null>(organizationToEdit(id).queryKey);
    if (!(error instanceof ApiError) || error.key !== 'conflict.stale' || current === null || current === undefined) {
      await showError(error);
      // The screen starts over from the stored values (ORG-06).
      return reset();
    }
    // The input stays, and is now based on the current values.
    setBegun(current);
    const text = t('organizations.setting.stale', {
      ...valuesOf(current.organization),
      tags: current.organization.tags.join(', '),
    });
    await showMessage({ title: t('ui.dialog.warningTitle'), text });
  };
  /** @returns whether it was saved */
  const save = async (): Promise<boolean> => {
    setSaving(true);
    try {
      await saveOrganization(base, trimmed(values));
      // Saved from here on: leaving asks nothing while the page loads the stored values.
      setBegun({ organization: { ...base.organization, ...trimmed(values) }, etag: undefined });
      setTyped({});
      highlight('organizations', [id]);
      toast(t('ui.done.edited'));
      await client.invalidateQueries({ queryKey: ['organizations'] });
      setBegun(undefined);
      return true;
    } catch (error) {
      await explain(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const type = (change: Partial<OrganizationValues>) => {
    setBegun(base);
    setTyped({ ...typed, ...change });
  };
  return { organization: base.organization, values, dirty, saving, type, save };
}

/** Name, phone, address and tags; the contact's address and the devices only to look at (ORG-04). */
function EditOrganization({ shown }: { shown: TaggedOrganization }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { organization, values, dirty, saving, type, save } = useEdit(shown);
  useUnsavedChanges(dirty, save);
  const nameMissing = values.name.trim() === '' ? t('ui.form.required', { field: t('organizations.column.name') }) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty && nameMissing === undefined && !saving) void save();
  };
  const { contacter, devices, expire, ended } = organization;
  return (
    <form className="form" noValidate onSubmit={submit}>
      <TextInput
        label={t('organizations.column.name')}
        withAsterisk
        aria-required
        maxLength={200}
        value={values.name}
        error={nameMissing}
        onChange={(event) => type({ name: event.currentTarget.value })}
      />
      <TextInput label={t('organizations.setting.contact')} value={contacter} readOnly />
      <TextInput
        label={t('organizations.column.phone')}
        maxLength={200}
        value={values.phone}
        onChange={(event) => type({ phone: event.currentTarget.value })}
      />
      <Textarea
        label={t('organizations.column.address')}
        rows={3}
        maxLength={1_000}
        value={values.address}
        onChange={(event) => type({ address: event.currentTarget.value.replaceAll('\n', ' ') })}
      />
      <TagsField value={values.tags} description={t('organizations.setting.tagsHint')} onChange={(tags) => type({ tags })} />
      <TextInput label={t('organizations.setting.ratio')} value={`${expire + ended}/${devices}`} readOnly />
      <div className="form__actions">
        <Button onClick={() => void navigate({ to: '/organization', search: {} })}>{t('ui.cancel')}</Button>
        <SaveButton dirty={dirty} saving={saving} reason={nameMissing} />
      </div>
    </form>
  );
}

/** /organization/setting?org=…: edit an organization (ORG-04); without one back to the list (NAV-05). */
export function OrganizationSetting(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { org } = useSearch({ from: '/signed-in/organization/setting' });
  const query = useQuery(organizationToEdit(org));
  const shown = query.data;
  if (org === undefined) return <Navigate to="/organization" search={{}} replace />;
  return (
    <div className="page">
      <PageHeader
        title={shown?.organization.name ?? t('organizations.setting.title')}
        back={
          <Link to="/organization" search={{}}>
            {t('organizations.title')}
          </Link>
        }
      />
      <div className="card panel">
        {query.isPending && <Skeleton lines={5} />}
        {shown === undefined && query.error !== null && (
          <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
        )}
        {shown === null && <EmptyState text={t('organizations.setting.gone')} />}
        {shown !== undefined && shown !== null && <EditOrganization key={shown.organization.id} shown={shown} />}
      </div>
      {shown !== undefined && shown !== null && (
        <>
          <Contacts org={shown.organization.id} />
          <Admins org={shown.organization.id} />
        </>
      )}
    </div>
  );
}
