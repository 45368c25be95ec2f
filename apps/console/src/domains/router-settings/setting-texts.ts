import { type routerSettings, settingsSchema, type Setting } from '@highline/contract';
import type { TFunction } from 'i18next';
import type { EffectiveValue, LevelSettings } from './settings.api.ts';

const byPath = new Map(settingsSchema.map((setting) => [setting.path, setting]));

/** Settings that stand together: of a section, and of one network or band. */
export interface SettingGroup {
  readonly id: string;
  readonly settings: readonly Setting[];
}

/** The form, in the order of the schema. */
export const settingGroups: readonly SettingGroup[] = Array.from(
  Map.groupBy(settingsSchema, ({ section, of }) => (of === '' ? section : of)),
  ([id, settings]) => ({ id, settings }),
);

/** The title of a group of settings: a network or a band by its name. */
export function titleOf(t: TFunction, { id, settings }: SettingGroup): string {
  const [first] = settings;
  if (first === undefined || first.of === '') return t(`routerSettings.section.${id as 'time'}`);
  return first.name === 'radioEnable'
    ? t('routerSettings.section.radio', { band: id })
    : t(`routerSettings.network.${id as 'passengers'}`);
}

const labelOf = (t: TFunction, setting: Setting) => t(`routerSettings.label.${setting.name as 'ssid'}`);

/** A label for where its group is not seen: in a difference or a list. */
export function wholeLabel(t: TFunction, path: string): string {
  const setting = byPath.get(path);
  if (setting === undefined) return path;
  const group = settingGroups.find(({ settings }) => settings.includes(setting))!;
  return t('routerSettings.inGroup', { group: titleOf(t, group), label: labelOf(t, setting) });
}

/** A label within its group. */
export function shortLabel(t: TFunction, setting: Setting): string {
  return labelOf(t, setting);
}

/** A value as it is read: a switch as on or off, a secret as dots. @param value null = a secret */
export function valueText(t: TFunction, path: string, value: string | null): string {
  if (value === null) return '••••••';
  const setting = byPath.get(path);
  if (setting?.kind.type === 'flag') return t(value === 'true' ? 'routerSettings.on' : 'routerSettings.off');
  return setting?.kind.type === 'number' && setting.kind.unit === 'seconds' ? t('routerSettings.seconds', { value }) : value;
}

/** Where a value comes from. */
export function originText(t: TFunction, from: routerSettings.SettingLevel): string {
  return t(`routerSettings.from.${from}`);
}

/** The name of a level. */
export function levelName(t: TFunction, { level, name }: Pick<LevelSettings, 'level' | 'name'>): string {
  if (level === 'organization') return t('routerSettings.level.organization');
  return t(`routerSettings.level.${level}`, { name });
}

const tones = {
  'as-set': 'ok',
  hidden: 'ok',
  differs: 'warn',
  rejected: 'bad',
  missing: 'idle',
  'not-readable': 'idle',
  'no-value': 'warn',
  invalid: 'warn',
  incomplete: 'warn',
  'not-sent': 'busy',
  none: 'idle',
} as const satisfies Record<routerSettings.ValueState | routerSettings.DeviceState, string>;

/** The tone of the state of a value or device. */
export const toneOf = (state: keyof typeof tones) => tones[state];

/** What is wrong with a value; empty while nothing is. */
export function noteOf(t: TFunction, { path, state, actual, message }: EffectiveValue): string {
  switch (state) {
    case 'differs':
      return actual === null
        ? t('routerSettings.note.secret')
        : t('routerSettings.note.differs', { value: valueText(t, path, actual) });
    case 'rejected':
      return t('routerSettings.note.rejected', { message });
    case 'no-value':
      return t('routerSettings.note.variable', { name: `{{${message}}}` });
    case 'invalid':
      return t('routerSettings.note.invalid', { value: message });
    case 'missing':
      return t('routerSettings.note.missing');
    case 'hidden':
      return t('routerSettings.note.hidden');
    default:
      return '';
  }
}
