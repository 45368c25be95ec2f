import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { readDetail, useEntityForm } from '../../api/useEntityForm.ts';
import { Check } from '../../ui/Check.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { RoleFields } from './RoleFields.tsx';
import { createProvider, saveProvider, type Provider, type ProviderDraft } from './identity-providers.api.ts';

const empty: ProviderDraft = {
  name: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  scopes: 'openid email profile',
  domains: '',
  rules: [],
  defaultRole: 'none',
  trustsEmail: false,
  enabled: true,
  required: false,
  breakGlass: '',
};

const draftOf = (provider: Provider): ProviderDraft => ({
  ...empty,
  ...Object.fromEntries(
    Object.keys(empty).flatMap((field) => (field in provider ? [[field, provider[field as keyof Provider]]] : [])),
  ),
  rules: provider.rules.map(({ limit, ...rule }) => ({
    ...rule,
    sees: [...(limit?.groups ?? []), ...(limit?.tags.map((tag) => `#${tag}`) ?? [])].join(', '),
  })),
  domains: provider.domains.map(({ domain }) => domain).join(', '),
  breakGlass: provider.breakGlass.join(', '),
});

const storedOf = (provider: Provider) => ({ values: draftOf(provider), etag: provider.version });

/** What the form says of the client secret. */
function secretHintOf(stored: Provider | undefined, { issuer }: ProviderDraft): 'secretHint' | 'secretStays' | 'secretOfOther' {
  if (stored === undefined) return 'secretHint';
  return issuer.trim() === stored.issuer ? 'secretStays' : 'secretOfOther';
}

export interface ProviderFormProps {
  /** Left out: a new one. */
  readonly provider?: Provider;
  readonly onClose: () => void;
  readonly onSaved: (saved: Provider) => void;
}

/** An identity provider: how it is reached, whose people it signs in, and what they may do (IAM-01). */
export function ProviderForm({ provider, onClose, onSaved }: ProviderFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<ProviderDraft, Provider>({
    stored: provider === undefined ? { values: empty } : storedOf(provider),
    leave: 'free',
    required: { name: t('providers.form.name'), issuer: t('providers.form.issuer'), clientId: t('providers.form.clientId') },
    fieldOf: ({ key }) => {
      if (key === 'provider.issuer_invalid') return 'issuer';
      if (key === 'provider.secret_missing') return 'clientSecret';
      if (key === 'provider.break_glass_missing') return 'breakGlass';
      return key === 'provider.domain_missing' ? 'domains' : undefined;
    },
    save: (draft, { etag = '' }) => (provider === undefined ? createProvider(draft) : saveProvider(provider, draft, etag)),
    ...(provider !== undefined && { done: t('providers.form.saved') }),
    onSaved,
    stale: readDetail((current: Provider) => ({ ...storedOf(current), text: t('ui.form.stale', { name: current.name }) })),
  });
  const check = (field: 'trustsEmail' | 'enabled' | 'required') => {
    const { value, onChange } = form.field(field);
    return (
      <label className="check-line">
        <Check bare label={t(`providers.form.${field}`)} checked={value} onChange={onChange} />
        {t(`providers.form.${field}`)}
      </label>
    );
  };
  return (
    <EntityDialog
      form={form}
      title={provider === undefined ? t('providers.form.create') : t('providers.form.edit', { name: provider.name })}
      submit={t(provider === undefined ? 'providers.form.submit' : 'providers.form.save')}
      onClose={onClose}
      wide
    >
      <TextInput maxLength={80} autoComplete="off" description={t('providers.form.nameHint')} {...form.text('name')} />
      <TextInput
        maxLength={500}
        inputMode="url"
        autoComplete="off"
        description={t('providers.form.issuerHint')}
        {...form.text('issuer')}
      />
      <TextInput maxLength={300} autoComplete="off" {...form.text('clientId')} />
      <TextInput
        label={t('providers.form.clientSecret')}
        description={t(`providers.form.${secretHintOf(provider, form.values)}`)}
        type="password"
        maxLength={1000}
        autoComplete="off"
        {...form.text('clientSecret')}
      />
      <TextInput
        label={t('providers.form.domains')}
        description={t('providers.form.domainsHint')}
        autoComplete="off"
        {...form.text('domains')}
      />
      <RoleFields
        rules={form.values.rules}
        onRules={(rules) => form.set({ rules })}
        defaultRole={form.values.defaultRole}
        onDefaultRole={(defaultRole) => form.set({ defaultRole })}
      />
      <TextInput
        label={t('providers.form.scopes')}
        description={t('providers.form.scopesHint')}
        maxLength={300}
        autoComplete="off"
        {...form.text('scopes')}
      />
      {check('trustsEmail')}
      {check('enabled')}
      {provider !== undefined && check('required')}
      {form.values.required && (
        <TextInput
          label={t('providers.form.breakGlass')}
          description={t('providers.form.breakGlassHint')}
          autoComplete="off"
          {...form.text('breakGlass')}
        />
      )}
    </EntityDialog>
  );
}
