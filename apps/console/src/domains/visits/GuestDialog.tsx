import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { GroupsField, type NamedGroup } from '../../entities/groups/GroupsField.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useLanguage } from '../../ui/language.ts';
import { toast } from '../../ui/toasts.ts';
import { RoleSelect } from './SupportDialog.tsx';
import { openVisit, type Visit } from './visits.api.ts';

const DAYS = [1, 7, 14, 30, 90, 180, 366] as const;

/** A person of another company, with an end and a role, who sees everything or some groups. */
export function GuestDialog({ onClose }: { onClose: (isAdded: boolean) => void }): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const [email, setEmail] = useState('');
  const [days, setDays] = useState('30');
  const [role, setRole] = useState<Visit['role']>('user');
  const [groups, setGroups] = useState<readonly NamedGroup[]>([]);
  const [fault, setFault] = useState<string>();
  const open = useAction<void, void>({
    run: () => {
      setFault(undefined);
      const only = groups.length === 0 ? {} : { groups: groups.map(({ id }) => id) };
      return openVisit({ kind: 'guest', role, email: email.trim(), days: Number(days), language, ...only });
    },
    onDone: () => {
      toast(t('visits.guest.done'));
      onClose(true);
    },
    onError: (error) => {
      const isOfAddress = error instanceof ApiError && error.field === 'email';
      if (isOfAddress) setFault(errorText(error));
      return isOfAddress;
    },
  });
  const submit = () => {
    if (/^\S+@\S+$/u.test(email.trim())) open.run();
    else setFault(t('visits.guest.emailMissing'));
  };
  return (
    <FormDialog
      title={t('visits.guest.title')}
      submit={t('visits.guest.submit')}
      busy={open.busy}
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      <p className="dim">{t('visits.guest.hint')}</p>
      <TextInput
        type="email"
        autoComplete="off"
        label={t('visits.guest.email')}
        value={email}
        error={fault}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('visits.guest.days')}
        data={DAYS.map((each) => ({ value: String(each), label: t('visits.days', { count: each }) }))}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <RoleSelect value={role} onChange={setRole} />
      <GroupsField
        label={t('visits.guest.groups')}
        description={t('visits.guest.groupsHint')}
        value={groups}
        onChange={setGroups}
      />
    </FormDialog>
  );
}
