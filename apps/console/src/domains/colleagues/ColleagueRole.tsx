import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { toast } from '../../ui/toasts.ts';
import { giveRole, ownRolesQuery } from '../roles/index.ts';
import type { Colleague } from './colleagues.api.ts';

const WHOLE = '';

/** Chooses the role of a colleague: everything that the main account may do, or one that it made (IAM-03). */
function RoleDialog({ colleague, onClose }: { colleague: Colleague; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const stored = colleague.ownRole?.id ?? WHOLE;
  const [picked, setPicked] = useState(stored);
  const { data = [] } = useQuery(ownRolesQuery());
  const giving = useAction<void, void>({
    run: () => giveRole(colleague.id, picked === WHOLE ? null : picked),
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['accounts'] });
      toast(t('colleagues.role.done', { email: colleague.email }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('colleagues.role.title', { email: colleague.email })}
      submit={t('colleagues.role.save')}
      busy={giving.busy}
      dirty={picked !== stored}
      disabledReason={picked === stored ? t('ui.nothingChanged') : undefined}
      onSubmit={() => giving.run()}
      onClose={onClose}
    >
      <NativeSelect
        label={t('colleagues.column.role')}
        data={[
          { value: WHOLE, label: t('colleagues.role.whole') },
          ...data.filter(({ org }) => org === null).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={picked}
        onChange={(event) => setPicked(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** The role of a colleague, which others of the main account change. */
export function ColleagueRole({ colleague, isSelf }: { colleague: Colleague; isSelf: boolean }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const name = colleague.ownRole?.name ?? t('colleagues.role.whole');
  if (isSelf) return name;
  return (
    <>
      <Button
        variant="subtle"
        aria-label={t('colleagues.role.open', { email: colleague.email, role: name })}
        onClick={() => setOpen(true)}
      >
        {name}
      </Button>
      {isOpen && <RoleDialog colleague={colleague} onClose={() => setOpen(false)} />}
    </>
  );
}
