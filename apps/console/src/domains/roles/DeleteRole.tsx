import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { toast } from '../../ui/toasts.ts';
import { deleteRole, ownRolesQuery, rightsQuery, type OwnRole } from './roles.api.ts';

/** Deletes a role; where people have it, after the choice of the role that they get (IAM-03). */
export function DeleteRole({ role, onClose }: { role: OwnRole; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isHeld = role.people > 0;
  const { data = [] } = useQuery({ ...ownRolesQuery(role.org ?? undefined), enabled: isHeld });
  const withheld = useQuery({ ...rightsQuery(role.org), enabled: isHeld }).data?.withheld ?? [];
  const candidates = data.filter(({ id, org }) => id !== role.id && org === role.org);
  const givable = candidates.filter(({ rights }) => !rights.some((right) => withheld.includes(right)));
  // People of the main account without an own role may do everything.
  const others = [
    ...(role.org === null ? [] : [{ value: 'user', label: t('roles.remove.user') }]),
    ...givable.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const [picked, setPicked] = useState<string>();
  const instead = picked ?? others[0]?.value;
  const removal = useAction<void, void>({
    run: () => deleteRole(role, isHeld ? instead : undefined),
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['roles'] });
      toast(t('roles.remove.done', { name: role.name }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('roles.remove.title', { name: role.name })}
      submit={t('roles.remove.yes')}
      danger
      busy={removal.busy}
      disabledReason={isHeld && instead === undefined ? t('roles.remove.noOther') : undefined}
      dirty={false}
      onSubmit={() => removal.run()}
      onClose={onClose}
    >
      {isHeld ? (
        <>
          <p>{t('roles.remove.held', { count: role.people })}</p>
          <NativeSelect
            label={t('roles.remove.instead')}
            description={givable.length < candidates.length && t('roles.remove.withheld')}
            data={others}
            value={instead ?? ''}
            onChange={(event) => setPicked(event.currentTarget.value)}
          />
        </>
      ) : (
        <p>{t('roles.remove.free')}</p>
      )}
    </FormDialog>
  );
}
