import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../api/EntityForm.tsx';
import { reload, useEntityForm } from '../../api/useEntityForm.ts';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { directoryQuery, saveRoles, type DirectoryState, type GroupChoice, type RolesDraft } from './directory.api.ts';

const storedOf = ({ defaultRole, groups, version }: DirectoryState) => ({
  values: { defaultRole, groups: groups.map(({ id, role }) => ({ id, role })) },
  etag: version,
});

/** What the people of the groups of the directory may do. */
export function RolesForm({ state }: { state: DirectoryState }): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<RolesDraft, DirectoryState>({
    stored: storedOf(state),
    save: (draft, base) => saveRoles(draft, base.etag),
    done: t('directory.saved'),
    refresh: ['directory'],
    stale: reload(directoryQuery, (current) => ({ ...storedOf(current), text: t('directory.stale') })),
    draft: 'directory-roles',
  });
  // Groups come and go while the page is open.
  const chosen = new Map(form.values.groups.map(({ id, role }) => [id, role]));
  const roleOf = ({ id, role }: GroupChoice) => (chosen.has(id) ? (chosen.get(id) ?? null) : role);
  const choose = (id: string, role: GroupChoice['role']) =>
    form.set({ groups: state.groups.map((group) => ({ id: group.id, role: group.id === id ? role : roleOf(group) })) });
  return (
    <PageForm form={form}>
      <h2>{t('directory.roles')}</h2>
      <p className="dim">{t(state.groups.length === 0 ? 'directory.noGroups' : 'directory.rolesHint')}</p>
      {state.groups.map(({ id, name, role, people }) => (
        <div key={id} className="directory__group">
          <span>
            {name} <span className="dim">{t('directory.people', { count: people })}</span>
          </span>
          <NativeSelect
            aria-label={t('directory.roleOf', { name })}
            data={[
              { value: '', label: t('directory.role.nothing') },
              { value: 'user', label: t('directory.role.user') },
              { value: 'admin', label: t('directory.role.admin') },
            ]}
            value={roleOf({ id, role }) ?? ''}
            onChange={({ currentTarget: { value } }) => choose(id, value === 'admin' || value === 'user' ? value : null)}
          />
        </div>
      ))}
      <NativeSelect
        data={(['user', 'none'] as const).map((value) => ({ value, label: t(`directory.default.${value}`) }))}
        {...form.text('defaultRole')}
        label={t('directory.defaultRole')}
      />
    </PageForm>
  );
}
