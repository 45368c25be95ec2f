import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import type { EntityForm } from '../../api/entity-form.ts';
import { viewsQuery } from '../../api/views/views.api.ts';
import { tagsQuery } from '../../entities/devices/devices.api.ts';
import { groupQuery } from '../../entities/groups/group.api.ts';
import { GroupSelect } from '../../entities/groups/GroupSelect.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import type { RuleDraft } from './empty-draft.ts';

export type Form = EntityForm<RuleDraft>;

/** The group of a rule; the server searches, however many there are. */
function GroupField({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { group } = form.values;
  const { data } = useQuery({ ...groupQuery(group), enabled: group !== '' });
  const name = data === null ? t('alerts.rules.missing') : (data?.group.groupName ?? '');
  return (
    <GroupSelect
      {...form.field('group')}
      label={t('alerts.form.of.group')}
      value={{ group, name: group === '' ? t('alerts.form.choose') : name }}
    />
  );
}

/** All devices, or those of a group, with a tag, or of a shared view. */
export function ScopeFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { kind, scopeKind, tag, view } = form.values;
  const tags = useQuery(tagsQuery()).data ?? [];
  const views = (useQuery(viewsQuery).data ?? []).filter(({ list, shared }) => list === 'devices' && shared);
  const kept = <Option extends { readonly value: string }>(options: readonly Option[], value: string) => [
    { value: '', label: t('alerts.form.choose') },
    ...options,
    ...(value === '' || options.some((option) => option.value === value) ? [] : [{ value, label: t('alerts.rules.missing') }]),
  ];
  const choices = {
    tag: kept(
      tags.map((value) => ({ value, label: value })),
      tag,
    ),
    view: kept(
      views.map(({ id: value, name: label }) => ({ value, label })),
      view,
    ),
  };
  return (
    <div className="form__pair">
      <NativeSelect
        label={t('alerts.form.devices')}
        data={(['all', 'group', 'tag', 'view'] as const)
          .filter((each) => each !== 'view' || kind !== 'test' || scopeKind === 'view')
          .map((each) => ({ value: each, label: t(`alerts.scope.${each}`) }))}
        value={scopeKind}
        onChange={(event) => form.set({ scopeKind: event.currentTarget.value as RuleDraft['scopeKind'] })}
      />
      {scopeKind === 'group' && <GroupField form={form} />}
      {(scopeKind === 'tag' || scopeKind === 'view') && (
        <NativeSelect label={t(`alerts.form.of.${scopeKind}`)} data={choices[scopeKind]} {...form.text(scopeKind)} />
      )}
    </div>
  );
}
