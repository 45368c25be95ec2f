import { NativeSelect, TextInput, Textarea } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { createKey, grantableQuery, type KeyDraft, type MintedKey } from './api-keys.api.ts';
import { Scopes } from './Scopes.tsx';

const empty: KeyDraft = { name: '', groups: [], ranges: '', days: '90' };
const DAYS = [30, 90, 365] as const;

export interface CreateKeyProps {
  /** Left out: the person's own organization, or the whole main account. */
  readonly org: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: (minted: MintedKey) => void;
}

/** Name, rights, expiry and networks of a new key (HKS-02). */
export function CreateKeyDialog({ org, onClose, onCreated }: CreateKeyProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const grantable = useQuery(grantableQuery(org));
  const groups = grantable.data ?? [];
  const form = useEntityForm<KeyDraft, MintedKey>({
    stored: { values: empty },
    leave: 'free',
    normalize: (draft) => ({ ...draft, name: draft.name.trim() }),
    required: { name: t('apiKeys.add.name') },
    blocked: ({ groups: chosen }) => (chosen.length === 0 ? t('apiKeys.add.mayMissing') : undefined),
    fieldOf: ({ key }) => (key === 'key.range_invalid' ? { ranges: t('apiKeys.add.rangeProblem') } : undefined),
    save: (draft) => createKey(draft, org, groups),
    onSaved: onCreated,
  });
  return (
    <EntityDialog form={form} title={t('apiKeys.add.title')} submit={t('apiKeys.add.submit')} onClose={onClose} wide>
      <TextInput description={t('apiKeys.add.nameHint')} maxLength={80} autoComplete="off" {...form.text('name')} />
      {grantable.isPending && <Skeleton lines={4} />}
      {grantable.isError && <ErrorState text={errorText(grantable.error)} onRetry={() => void grantable.refetch()} />}
      {groups.length > 0 && (
        <Scopes
          legend={t('apiKeys.add.may')}
          hint={t('apiKeys.add.mayHint')}
          groups={groups}
          chosen={form.values.groups}
          onChange={(chosen) => form.set({ groups: chosen })}
        />
      )}
      <NativeSelect
        label={t('apiKeys.add.expiry')}
        data={[
          ...DAYS.map((count) => ({ value: String(count), label: t('apiKeys.add.days', { count }) })),
          { value: '', label: t('apiKeys.never') },
        ]}
        {...form.text('days')}
      />
      <Textarea
        label={t('apiKeys.add.ranges')}
        description={t('apiKeys.add.rangesHint')}
        rows={2}
        maxLength={1_000}
        {...form.text('ranges')}
      />
    </EntityDialog>
  );
}
