import { NativeSelect, TextInput, Textarea } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import {
  createKey,
  grantableQuery,
  groupName,
  type KeyDraft,
  type KeyGroup,
  type MintedKey,
  withinLimit,
} from './api-keys.api.ts';
import { LimitFields } from './LimitFields.tsx';
import { noLimit } from './limit-draft.ts';
import { Scopes } from './Scopes.tsx';

const empty: KeyDraft = { ...noLimit, name: '', rights: [], ranges: '', days: '90' };
const DAYS = [30, 90, 365] as const;

export interface CreateKeyProps {
  /** Left out: the person's own organization, or the whole main account. */
  readonly org: string | undefined;
  /** It is of one organization, whose vehicles it can be limited to. */
  readonly hasGroups: boolean;
  readonly onClose: () => void;
  readonly onCreated: (minted: MintedKey) => void;
}

/** What the key can be allowed. */
const offeredTo = ({ sees }: KeyDraft, all: readonly KeyGroup[] = []) => (sees === 'some' ? withinLimit(all) : all);

/** What was chosen of it. */
function chosenOf(draft: KeyDraft, all: readonly KeyGroup[] | undefined): string[] {
  const offered = new Set(offeredTo(draft, all).map(groupName));
  return draft.rights.filter((right) => offered.has(right));
}

/** Name, rights, limit, expiry and networks of a new key (HKS-02). */
export function CreateKeyDialog({ org, hasGroups, onClose, onCreated }: CreateKeyProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const grantable = useQuery(grantableQuery(org));
  const form = useEntityForm<KeyDraft, MintedKey>({
    stored: { values: empty },
    leave: 'free',
    normalize: (draft) => ({ ...draft, name: draft.name.trim() }),
    required: { name: t('apiKeys.add.name') },
    blocked: (draft) => (chosenOf(draft, grantable.data).length === 0 ? t('apiKeys.add.mayMissing') : undefined),
    fieldOf: ({ key }) => (key === 'key.range_invalid' ? { ranges: t('apiKeys.add.rangeProblem') } : undefined),
    save: (draft) => createKey(draft, org, offeredTo(draft, grantable.data)),
    onSaved: onCreated,
  });
  const groups = offeredTo(form.values, grantable.data);
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
          chosen={chosenOf(form.values, groups)}
          onChange={(rights) => form.set({ rights })}
        />
      )}
      {hasGroups && (
        <LimitFields limit={form.values} org={org} none={t('apiKeys.limit.none')} onChange={(change) => form.set(change)} />
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
