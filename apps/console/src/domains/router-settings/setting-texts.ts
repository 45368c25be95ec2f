import {
  entryOf,
  fitsSetting,
  type Setting,
  type SettingsCatalogue,
  standardCatalogue,
  type routerSettings,
} from '@highline/contract';
import type { TFunction } from 'i18next';
import type { EffectiveValue, LevelSettings } from './settings.api.ts';

/** Settings that stand together: of a section, and of one network, band or schema file. */
export interface SettingGroup {
  readonly id: string;
  /** Without those of lists. */
  readonly settings: readonly Setting[];
  /** Lists whose entries a user names. */
  readonly lists: readonly string[];
}

const groupOf = ({ section, of }: Setting, isEntry: boolean) => (of === '' || isEntry ? section : of);

/** The form, in the order of the catalogue. */
export function groupSettings({ settings, lists }: SettingsCatalogue): readonly SettingGroup[] {
  const listOf = ({ path }: Setting) => lists.find((list) => path.startsWith(list));
  const groups = Map.groupBy(settings, (setting) => groupOf(setting, listOf(setting) !== undefined));
  return Array.from(groups, ([id, all]) => ({
    id,
    settings: all.filter((setting) => listOf(setting) === undefined),
    lists: [...new Set(all.flatMap((setting) => listOf(setting) ?? []))],
  }));
}

/** The title of a group of settings: a network, a band or a schema file by its name. */
export function titleOf(t: TFunction, { id, settings }: Pick<SettingGroup, 'id' | 'settings'>): string {
  const [first] = settings;
  if (first === undefined || first.of === '') return t(`routerSettings.section.${id as 'time'}`);
  if (first.section === 'vendor') return id;
  return first.path.startsWith('WiFi.Radio')
    ? t('routerSettings.section.radio', { band: id })
    : t(`routerSettings.network.${id as 'passengers'}`);
}

/** Key of the texts of a list. */
export const listKey = (list: string) => list.replace('[name=*].', '').replaceAll(/\[[^\]]*\]|\./gu, '') as 'NATPortMapping';

/** The label of a parameter: of the console, or of its schema file in the user's language. */
export function shortLabel(t: TFunction, setting: Setting): string {
  if (setting.texts !== undefined) return localText(t, setting.texts.label);
  return t(`routerSettings.label.${setting.name as 'ssid'}`);
}

/** The help of a parameter. */
export function helpOf(t: TFunction, setting: Setting): string {
  if (setting.texts !== undefined) return localText(t, setting.texts.help);
  return t(`routerSettings.help.${setting.name as 'ssid'}`);
}

/** `language` of the texts of the console: `en` or `zh`. */
const localText = (t: TFunction, { en, zh }: { readonly en: string; readonly zh?: string | undefined }) =>
  (t('routerSettings.language') as string) === 'zh' ? (zh ?? en) : en;

/** A label for where its group is not seen: in a difference or a list. */
export function wholeLabel(t: TFunction, path: string, catalogue: SettingsCatalogue = standardCatalogue): string {
  const setting = catalogue.find(path);
  if (setting === undefined) return path;
  const label = shortLabel(t, setting);
  const at = entryOf(path);
  if (at !== undefined) return t('routerSettings.inGroup', { group: entryTitle(t, at), label });
  const group = titleOf(t, { id: groupOf(setting, false), settings: [setting] });
  return t('routerSettings.inGroup', { group, label });
}

/** An entry of a list by its name: "Port forwarding camera". */
export function entryTitle(t: TFunction, { list, entry }: { readonly list: string; readonly entry: string }): string {
  return t(`routerSettings.list_of.${listKey(list)}.entry`, { name: entry });
}

/** An entry by its path; one of a list that this console does not know is its path. */
export function nameOfEntry(t: TFunction, path: string): string {
  const at = entryOf(`${path}.Alias`);
  return at === undefined ? path : entryTitle(t, at);
}

/** Numbers of protocols (IANA). */
const protocols: Readonly<Record<string, string>> = { '-1': '', '1': 'ICMP', '6': 'TCP', '17': 'UDP' };

/** A value as it is read: a switch as on or off, a secret as dots. @param value null = a secret */
export function valueText(t: TFunction, path: string, value: string | null): string {
  if (value === null) return '••••••';
  const setting = standardCatalogue.find(path);
  if (setting?.kind.type === 'choice' && Object.hasOwn(protocols, value) && setting.name === 'ruleProtocol')
    return value === '-1' ? t('routerSettings.anyProtocol') : protocols[value]!;
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
  returned: 'bad',
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
      if (actual === null) return t('routerSettings.note.secret');
      if (actual === '') return t('routerSettings.note.empty');
      return t('routerSettings.note.differs', { value: valueText(t, path, actual) });
    case 'returned':
      return t('routerSettings.note.returned', { value: actual === null ? '' : valueText(t, path, actual) });
    case 'rejected':
      return t('routerSettings.note.rejected', { message });
    case 'no-value':
      return t('routerSettings.note.variable', { name: variableName(message) });
    case 'invalid':
      return t(`routerSettings.note.${clashOf(path, message) ?? 'invalid'}`, { value: message });
    case 'missing':
      return t('routerSettings.note.missing');
    case 'hidden':
      return t('routerSettings.note.hidden');
    default:
      return '';
  }
}

const clashes = {
  externalPort: 'taken',
  lanMask: 'network',
  poolFirst: 'network',
  poolLast: 'network',
  ruleTarget: 'locksOut',
} as const;

/** Why a value that fits by itself is not sent: another one of the vehicle does not go with it. */
export function clashOf(path: string, value: string): 'taken' | 'network' | 'locksOut' | undefined {
  const setting = standardCatalogue.find(path);
  if (setting === undefined || !fitsSetting(setting, value)) return undefined;
  return clashes[setting.name as keyof typeof clashes];
}

/** What a value lacks: a variable, or a parameter of its entry, which begins with a capital. */
export function variableName(name: string): string {
  return /^[A-Z]/u.test(name) ? name : `{{${name}}}`;
}
