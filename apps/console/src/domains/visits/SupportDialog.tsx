import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { toast } from '../../ui/toasts.ts';
import { openVisit, type Visit } from './visits.api.ts';

const HOURS = [1, 4, 8, 24, 72, 168, 720] as const;

/** Let the people of the main account in, for some hours or until it is ended. */
export function SupportDialog({ onClose }: { onClose: (isAdded: boolean) => void }): ReactNode {
  const { t } = useTranslation();
  const { mainAccountName: company } = useSession();
  const [hours, setHours] = useState('4');
  const [role, setRole] = useState<Visit['role']>('admin');
  const open = useAction<void, void>({
    run: () => openVisit({ kind: 'support', role, ...(hours !== 'always' && { hours: Number(hours) }) }),
    onDone: () => {
      toast(t('visits.supportDialog.done'));
      onClose(true);
    },
  });
  return (
    <FormDialog
      title={t('visits.supportDialog.title', { company })}
      submit={t('visits.supportDialog.submit')}
      busy={open.busy}
      dirty={false}
      onSubmit={() => open.run()}
      onClose={() => onClose(false)}
    >
      <p className="dim">{t('visits.supportDialog.hint', { company })}</p>
      <NativeSelect
        label={t('visits.supportDialog.hours')}
        data={[
          ...HOURS.map((each) => ({
            value: String(each),
            label: each < 24 ? t('visits.hours', { count: each }) : t('visits.days', { count: each / 24 }),
          })),
          { value: 'always', label: t('visits.always') },
        ]}
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
      />
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  );
}

/** What they may do. */
export function RoleSelect({ value, onChange }: { value: Visit['role']; onChange: (role: Visit['role']) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <NativeSelect
      label={t('visits.column.role')}
      description={t('visits.roleHint')}
      data={[
        { value: 'admin', label: t('visits.role.admin') },
        { value: 'user', label: t('visits.role.user') },
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value === 'admin' ? 'admin' : 'user')}
    />
  );
}
