import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import type { EntityForm } from '../../api/entity-form.ts';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { ownRolesQuery, Rights } from '../roles/index.ts';
import { Privileges } from './Privileges.tsx';
import { type ChosenRole, isUserRole, type UserValues } from './users.api.ts';

/** The role of a user: one of every organization, or one that this organization made (IAM-03), with what it may do. */
export function RoleField({
  role,
  field,
  onPicked = () => undefined,
}: {
  readonly role: ChosenRole;
  readonly field: ReturnType<EntityForm<UserValues>['text']>;
  readonly onPicked?: (role: ChosenRole) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { data = [] } = useQuery(ownRolesQuery());
  const own = data.find(({ id }) => id === role);
  return (
    <>
      <NativeSelect
        label={t('users.role.label')}
        data={[
          { value: 'admin', label: t('users.role.admin') },
          { value: 'user', label: t('users.role.user') },
          ...data.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...field}
        onChange={(event) => {
          field.onChange(event);
          onPicked(event.currentTarget.value);
        }}
      />
      {isUserRole(role) && <Privileges role={role} />}
      {own !== undefined && <Rights rights={own.rights} />}
    </>
  );
}
