import { IconArrowsExchange } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { type WindowName, windowNamed, WindowSelect } from '../../entities/commands/WindowSelect.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { canSwitchTo } from './esim.ts';
import type { Profile } from './esims.api.ts';
import type { Switch } from './useSwitch.ts';

interface SwitchButtonsProps {
  readonly profile: Profile;
  readonly change: Switch;
  readonly notAllowed: string | undefined;
}

/** Asks when the router may switch (WIN-02). */
function LaterDialog({ profile, change, onClose }: Pick<SwitchButtonsProps, 'profile' | 'change'> & { onClose: () => void }) {
  const { t } = useTranslation();
  const zone = useZone();
  const [name, setName] = useState<WindowName>('parked');
  const submit = () => {
    onClose();
    change.run(profile, windowNamed(name, zone));
  };
  return (
    <FormDialog
      title={t('esims.switch.laterTo', { name: profile.name || profile.carrier || profile.iccid })}
      submit={t('esims.switch.plan')}
      dirty={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="dim">{t('esims.switch.laterText')}</p>
      <WindowSelect value={name} onChange={setName} />
    </FormDialog>
  );
}

/** Has the router use this eSIM, now or when a window opens, after a confirmation; or not after all. Absent where that is not possible. */
export function SwitchButtons({ profile, change, notAllowed }: SwitchButtonsProps): ReactNode {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const shared = { variant: 'light' as const, loading: change.busy, disabledReason: notAllowed };
  if (!canSwitchTo(profile)) return null;
  return (
    <>
      <ActionButton {...shared} icon={<IconArrowsExchange size={14} />} onClick={() => change.run(profile)}>
        {t('esims.switch.now')}
      </ActionButton>
      <ActionButton {...shared} onClick={() => setAsking(true)}>
        {t('esims.switch.later')}
      </ActionButton>
      {profile.requested && (
        <ActionButton {...shared} onClick={() => change.run(profile, null)}>
          {t('esims.switch.withdraw')}
        </ActionButton>
      )}
      {isAsking && <LaterDialog profile={profile} change={change} onClose={() => setAsking(false)} />}
    </>
  );
}
