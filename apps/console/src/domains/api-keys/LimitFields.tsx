import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { tagsQuery } from '../../entities/devices/devices.api.ts';
import { GroupsField } from '../../entities/groups/GroupsField.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { TagsField } from '../../ui/form/TagsField.tsx';
import { LimitByView, type LimitByViewProps } from './LimitByView.tsx';

export interface LimitFieldsProps extends LimitByViewProps {
  /** Instead of 'Vehicles'. */
  readonly label?: string;
  /** What it means that neither a group nor a tag is chosen. */
  readonly none: string;
}

/** Which vehicles a person, a key or a role sees: all, or those of groups and tags (IAM-04). */
export function LimitFields({ label, none, ...fields }: LimitFieldsProps): ReactNode {
  const { t } = useTranslation();
  const { limit, org, onChange } = fields;
  const isSome = limit.sees === 'some';
  const tags = useQuery({ ...tagsQuery(org), enabled: isSome }).data ?? [];
  return (
    <>
      <NativeSelect
        label={label ?? t('apiKeys.limit.label')}
        data={[
          { value: 'all', label: t('apiKeys.limit.all') },
          { value: 'some', label: t('apiKeys.limit.some') },
        ]}
        value={limit.sees}
        onChange={(event) => onChange({ sees: event.currentTarget.value === 'some' ? 'some' : 'all' })}
      />
      {isSome && (
        <>
          <GroupsField
            label={t('apiKeys.limit.groups')}
            value={limit.groups}
            org={org}
            onChange={(groups) => onChange({ groups })}
          />
          <TagsField
            label={t('apiKeys.limit.tags')}
            value={[...limit.tags]}
            suggestions={tags}
            onChange={(chosen) => onChange({ tags: chosen })}
          />
          <LimitByView {...fields} />
          {limit.groups.length + limit.tags.length === 0 && <p className="dim">{none}</p>}
        </>
      )}
    </>
  );
}
