import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { readDetail, useEntityForm } from '../../api/useEntityForm.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { draftOfLimit, LimitFields, noLimit, Scopes, useAreaName } from '../api-keys/index.ts';
import { createRole, rightsQuery, roleQuery, saveRole, type OwnRole, type RoleDraft } from './roles.api.ts';
import './roles.css';

const empty: RoleDraft = { ...noLimit, name: '', rights: ['devices.read'] };

const draftOf = ({ name, rights, limitedTo }: OwnRole): RoleDraft => ({
  name,
  rights,
  ...draftOfLimit(limitedTo),
});
const storedOf = (role: OwnRole) => ({ values: draftOf(role), etag: role.version });

export interface RoleFormProps {
  /** Left out: a new one. */
  readonly role?: OwnRole;
  /** The organization of a new one; undefined = the person's own, or the main account itself. */
  readonly org?: string | undefined;
  /** It is of an organization, whose vehicles it can be limited to. */
  readonly hasGroups: boolean;
  /** People have pages that the person may open. */
  readonly linksPeople: boolean;
  readonly onClose: () => void;
}

/** Who has a role. */
function Holders({ role, linksPeople }: { role: OwnRole; linksPeople: boolean }): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery({ ...roleQuery(role), enabled: role.people > 0 });
  if (role.people === 0) return <p className="dim">{t('roles.form.noOne')}</p>;
  const rest = role.people - (data?.holders.length ?? 0);
  return (
    <section aria-labelledby="role-holders">
      <h3 id="role-holders">{t('roles.form.people', { count: role.people })}</h3>
      {data === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <ul className="role-holders">
          {data.holders.map(({ id, name, email }) => (
            <li key={id}>
              {linksPeople ? (
                <Link to="/users/detail" search={{ user: id }}>
                  {name || email}
                </Link>
              ) : (
                name || email
              )}{' '}
              {name !== '' && <span className="dim">{email}</span>}
            </li>
          ))}
          {rest > 0 && <li className="dim">{t('roles.form.more', { count: rest })}</li>}
        </ul>
      )}
    </section>
  );
}

/** Why a person may not change a role: it has rights that only admins of the organization give. */
function useWithheldReason(role: OwnRole | undefined, withheld: readonly string[]): string | undefined {
  const { t } = useTranslation();
  const areaName = useAreaName();
  const held = withheld.filter((right) => role?.rights.includes(right));
  if (held.length === 0) return undefined;
  const names = held.map((right) => {
    const [area, access] = right.split('.') as [string, 'read' | 'write'];
    return t(`apiKeys.add.${access}Of`, { area: areaName(area) });
  });
  return t('roles.form.ofAdmins', { rights: names.join(t('ui.between')) });
}

/** Name, rights and limit of a role, and who has it (IAM-03). */
export function RoleForm({ role, org, hasGroups, linksPeople, onClose }: RoleFormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const owner = role === undefined ? org : role.org;
  const rights = useQuery(rightsQuery(owner));
  const withheld = rights.data?.withheld ?? [];
  const withheldReason = useWithheldReason(role, withheld);
  const form = useEntityForm<RoleDraft, OwnRole>({
    stored: role === undefined ? { values: empty } : storedOf(role),
    leave: 'free',
    normalize: (draft) => ({ ...draft, name: draft.name.trim(), rights: draft.rights.toSorted() }),
    required: { name: t('roles.form.name') },
    blocked: (draft) => withheldReason ?? (draft.rights.length === 0 ? t('roles.form.noRights') : undefined),
    fieldOf: ({ key }) => (key === 'role.name_taken' ? 'name' : undefined),
    save: (draft, { etag = '' }) => (role === undefined ? createRole(draft, org) : saveRole(role, draft, etag)),
    done: t(role === undefined ? 'roles.form.made' : 'roles.form.saved'),
    refresh: ['roles'],
    onSaved: onClose,
    stale: readDetail((current: OwnRole) => ({ ...storedOf(current), text: t('ui.form.stale', { name: current.name }) })),
  });
  return (
    <EntityDialog
      form={form}
      title={role === undefined ? t('roles.form.create') : t('roles.form.edit', { name: role.name })}
      submit={t(role === undefined ? 'roles.form.submit' : 'roles.form.save')}
      onClose={onClose}
      wide
    >
      <TextInput description={t('roles.form.nameHint')} maxLength={80} autoComplete="off" {...form.text('name')} />
      {rights.isPending && <Skeleton lines={4} />}
      {rights.isError && <ErrorState text={errorText(rights.error)} onRetry={() => void rights.refetch()} />}
      {rights.data !== undefined && (
        <Scopes
          legend={t('roles.form.rights')}
          hint={t('roles.form.rightsHint')}
          groups={rights.data.result}
          chosen={form.values.rights}
          onChange={(chosen) => form.set({ rights: chosen })}
        />
      )}
      {withheld.length > 0 && <p className="dim">{withheldReason ?? t('roles.form.withheld')}</p>}
      {hasGroups && (
        <LimitFields
          limit={form.values}
          org={owner ?? undefined}
          none={t('roles.form.seesNone')}
          onChange={(change) => form.set(change)}
        />
      )}
      {role !== undefined && <Holders role={role} linksPeople={linksPeople} />}
    </EntityDialog>
  );
}
