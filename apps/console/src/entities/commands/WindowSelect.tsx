import type { rollouts } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';

type Conditions = Omit<rollouts.UpdateWindow, 'zone'>;

/** Windows that people choose from by name (WIN-02); programs may send any. */
const presets = {
  parked: { ignitionOffMinutes: 10 },
  still: { stillMinutes: 10 },
  night: { hours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: '02:00', until: '04:00' }], local: true },
  ground: { uplinks: ['ethernet', 'wifi'] },
} as const satisfies Record<string, Conditions>;

/** The name of a window; 'any' = at any time, 'other' = one that has no name. */
export type WindowName = keyof typeof presets | 'any' | 'other';

const names = Object.keys(presets) as readonly (keyof typeof presets)[];

/** The window of a name, with the zone of vehicles without a position. */
export function windowNamed(name: WindowName, zone: string): rollouts.UpdateWindow | undefined {
  if (name === 'any' || name === 'other') return undefined;
  return JSON.parse(JSON.stringify({ ...presets[name], zone })) as rollouts.UpdateWindow;
}

/** The name of a stored window. */
export function nameOfWindow(window: rollouts.UpdateWindow | undefined): WindowName {
  if (window === undefined) return 'any';
  const { zone: _, ...conditions } = window;
  return names.find((name) => isSame(presets[name], conditions)) ?? 'other';
}

const sorted = (conditions: Conditions) => JSON.stringify(Object.entries(conditions).toSorted(([a], [b]) => (a < b ? -1 : 1)));
const isSame = (a: Conditions, b: Conditions) => sorted(a) === sorted(b);

/** When a command may be sent. */
export function WindowSelect({ value, onChange }: { value: WindowName; onChange: (name: WindowName) => void }): ReactNode {
  const { t } = useTranslation();
  const offered: readonly WindowName[] = ['any', ...names, ...(value === 'other' ? (['other'] as const) : [])];
  return (
    <NativeSelect
      label={t('commands.window.label')}
      value={value}
      data={offered.map((name) => ({ value: name, label: t(`commands.window.${name}`) }))}
      onChange={(event) => onChange(event.currentTarget.value as WindowName)}
    />
  );
}
