import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';

/** Hours that people choose from. */
const choices = [1, 6, 24, 72, 168, 720] as const;
export const USUAL_WAIT_HOURS = 24;

/** How long a command waits for a router that is not connected. @param none also offers not to wait */
export function WaitSelect({
  hours,
  none,
  onChange,
}: {
  hours: number | undefined;
  none?: string;
  onChange: (hours: number | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  const options = choices.map((count) => ({
    value: String(count),
    label: count < 72 ? t('commands.wait.hours', { count }) : t('commands.wait.days', { count: count / 24 }),
  }));
  return (
    <NativeSelect
      label={t('commands.wait.label')}
      value={hours === undefined ? '' : String(hours)}
      data={[...(none === undefined ? [] : [{ value: '', label: none }]), ...options]}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? undefined : Number(value))}
    />
  );
}
