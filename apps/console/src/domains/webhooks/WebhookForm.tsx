import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { isKeyedFormat, keepsKey, type keyedFormats, webhooks } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { reload, useEntityForm } from '../../api/useEntityForm.ts';
import { Check } from '../../ui/Check.tsx';
import { ChoicesField } from '../../ui/form/ChoicesField.tsx';
import { TagsField } from '../../ui/form/TagsField.tsx';
import { EventChoice } from './EventChoice.tsx';
import {
  createWebhook,
  groupOptionsQuery,
  saveWebhook,
  type MintedWebhook,
  type Webhook,
  type WebhookDraft,
  webhookQuery,
} from './webhooks.api.ts';

const empty: WebhookDraft = { name: '', url: '', format: 'standard', key: '', events: [], groups: [], tags: [], enabled: true };

export interface WebhookFormProps {
  /** Left out: a new one. */
  readonly webhook?: Webhook;
  /** The organization of a new one; undefined = the person's own, or the whole main account. */
  readonly org?: string | undefined;
  /** It belongs to one organization, whose groups it can be limited to. */
  readonly hasGroups: boolean;
  readonly onClose: () => void;
  readonly onCreated?: (minted: MintedWebhook) => void;
  readonly onSaved?: () => void;
}

const fields = Object.keys(empty) as (keyof WebhookDraft)[];

const draftOf = (webhook: Webhook): WebhookDraft => ({
  ...empty,
  ...Object.fromEntries(fields.map((field) => [field, field === 'key' ? '' : (webhook[field] ?? empty[field])])),
});
const storedOf = (webhook: Webhook) => ({ values: draftOf(webhook), etag: webhook.version });

/** What the form says of the key of the receiver. */
function keyHintOf(stored: Webhook | undefined, draft: WebhookDraft): 'keyHint' | 'keyStays' | 'keyOfOther' {
  if (stored?.format !== draft.format) return 'keyHint';
  return keepsKey(stored, { ...draft, url: draft.url.trim() }) ? 'keyStays' : 'keyOfOther';
}

/** Name, address, format, events and scope of a webhook (HKS-01). */
export function WebhookForm({ webhook, org, hasGroups, onClose, onCreated, onSaved }: WebhookFormProps): ReactNode {
  const { t } = useTranslation();
  const groups = useQuery({ ...groupOptionsQuery(webhook?.org ?? org), enabled: hasGroups });
  const form = useEntityForm<WebhookDraft, MintedWebhook | Webhook>({
    stored: webhook === undefined ? { values: empty } : storedOf(webhook),
    leave: 'free',
    normalize: (draft) => ({ ...draft, name: draft.name.trim(), url: draft.url.trim(), events: draft.events.toSorted() }),
    required: { name: t('webhooks.form.name'), url: t('webhooks.form.url') },
    fieldOf: ({ key }) => {
      if (key === 'webhook.url_invalid') return 'url';
      return key === 'webhook.key_missing' ? 'key' : undefined;
    },
    save: (draft, { etag = '' }) => (webhook === undefined ? createWebhook(draft, org) : saveWebhook(webhook, etag, draft)),
    ...(webhook !== undefined && { done: t('webhooks.form.saved') }),
    stale: webhook && reload(webhookQuery(webhook.id), (current) => ({ ...storedOf(current), text: t('webhooks.form.stale') })),
    refresh: ['webhooks'],
    onSaved: (result) => ('secret' in result ? onCreated?.(result) : onSaved?.()),
  });
  const title = webhook === undefined ? t('webhooks.form.create') : t('webhooks.form.edit', { name: webhook.name });
  return (
    <EntityDialog
      form={form}
      title={title}
      submit={t(webhook === undefined ? 'webhooks.form.submit' : 'webhooks.form.save')}
      onClose={onClose}
      wide
    >
      <TextInput maxLength={80} autoComplete="off" {...form.text('name')} />
      <TextInput
        description={t('webhooks.form.urlHint')}
        maxLength={webhooks.LONGEST_WEBHOOK_URL}
        autoComplete="off"
        inputMode="url"
        {...form.text('url')}
      />
      <NativeSelect
        label={t('webhooks.form.format')}
        data={webhooks.webhookFormats.map((value) => ({ value, label: t(`webhooks.format.${value}`) }))}
        {...form.text('format')}
      />
      {isKeyedFormat(form.values.format) && (
        <TextInput
          label={t(`webhooks.form.keyOf.${form.values.format as (typeof keyedFormats)[number]}`)}
          description={t(`webhooks.form.${keyHintOf(webhook, form.values)}`)}
          type="password"
          autoComplete="off"
          maxLength={200}
          {...form.text('key')}
        />
      )}
      <EventChoice chosen={form.values.events} onChange={(events) => form.set({ events })} />
      {hasGroups && (
        <ChoicesField
          label={t('webhooks.form.groups')}
          description={t('webhooks.form.groupsHint')}
          data={groups.data ?? form.values.groups.map((value) => ({ value, label: value }))}
          value={[...form.values.groups]}
          onChange={(chosen) => form.set({ groups: chosen })}
        />
      )}
      <TagsField
        label={t('webhooks.form.tags')}
        description={t('webhooks.form.tagsHint')}
        value={form.values.tags}
        onChange={(tags) => form.set({ tags })}
      />
      <label className="check-line">
        <Check
          bare
          label={t('webhooks.form.enabled')}
          checked={form.values.enabled}
          onChange={(enabled) => form.set({ enabled })}
        />
        {t('webhooks.form.enabled')}
      </label>
    </EntityDialog>
  );
}
