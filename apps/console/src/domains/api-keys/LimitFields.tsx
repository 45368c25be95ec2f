import { groups as groupCalls } from '@highline/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { call } from '../../api/client.ts';
import { tagsQuery } from '../../entities/devices/devices.api.ts';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { ChoicesField } from '../../ui/form/ChoicesField.tsx';
import { TagsField } from '../../ui/form/TagsField.tsx';
import type { LimitDraft } from './limit-draft.ts';

const MOST_GROUPS = 200;

/** The groups of an organization, to choose from. */
const groupOptionsQuery = (org: string | undefined) =>
  queryOptions({
    queryKey: ['groups', 'of-limit', org],
    queryFn: async ({ signal }) => {
      const query = { limit: MOST_GROUPS, offset: 0, sort: 'name' as const, ...(org !== undefined && { org }) };
      const { result } = await call(groupCalls.listGroups, { query, signal });
      return result.map((group) => ({ value: group.group, label: group.group_name }));
    },
    meta: { topics: ['groups'] },
  });

export interface LimitFieldsProps {
  readonly limit: LimitDraft;
  /** The organization; undefined = the person's own. */
  readonly org: string | undefined;
  /** What it means that neither a group nor a tag is chosen. */
  readonly none: string;
  readonly onChange: (change: Partial<LimitDraft>) => void;
}

/** Which vehicles a key or a role sees: all, or those of groups and tags (IAM-04). */
export function LimitFields({ limit, org, none, onChange }: LimitFieldsProps): ReactNode {
  const { t } = useTranslation();
  const isSome = limit.sees === 'some';
  const groups = useQuery({ ...groupOptionsQuery(org), enabled: isSome });
  const tags = useQuery({ ...tagsQuery(org), enabled: isSome }).data ?? [];
  return (
    <>
      <NativeSelect
        label={t('apiKeys.limit.label')}
        data={[
          { value: 'all', label: t('apiKeys.limit.all') },
          { value: 'some', label: t('apiKeys.limit.some') },
        ]}
        value={limit.sees}
        onChange={(event) => onChange({ sees: event.currentTarget.value === 'some' ? 'some' : 'all' })}
      />
      {isSome && (
        <>
          <ChoicesField
            label={t('apiKeys.limit.groups')}
            data={groups.data ?? []}
            value={[...limit.groups]}
            onChange={(chosen) => onChange({ groups: chosen })}
          />
          <TagsField
            label={t('apiKeys.limit.tags')}
            value={[...limit.tags]}
            suggestions={tags}
            onChange={(chosen) => onChange({ tags: chosen })}
          />
          {limit.groups.length + limit.tags.length === 0 && <p className="dim">{none}</p>}
        </>
      )}
    </>
  );
}
