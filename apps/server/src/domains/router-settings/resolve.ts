import {
  entryOf,
  fitsSetting,
  standardCatalogue,
  variablesIn,
  withVariables,
  type Setting,
  type SettingsCatalogue,
} from '@highline/contract';
import { mayClash, withoutClashes } from './clashes.ts';
import type { EffectiveSetting, Level } from './effective-setting.ts';

/**
 * The values of a device out of the levels, each from the last level that has it (TPL-02). An entry of a list that lacks a required
 * parameter has none of its values.
 * @param levels from the organization to the device
 * @param variables values by the lower-case names of variables; empty ones count as none
 * @param catalogue of the device's model: what it does not have is left out
 */
export function resolveSettings(
  levels: readonly Level[],
  variables: ReadonlyMap<string, string>,
  catalogue: SettingsCatalogue = standardCatalogue,
): readonly EffectiveSetting[] {
  return createResolver(levels, catalogue)(variables);
}

/** The values of a device, by its variables. */
export type SettingsResolver = (variables: ReadonlyMap<string, string>) => readonly EffectiveSetting[];

type UnresolvedSetting = Omit<EffectiveSetting, 'text' | 'fault'>;

/**
 * `resolveSettings` for many devices of the same levels and model. What has no variable is the same for each of them; a value that has one is
 * resolved alone, unless others depend on it.
 */
export function createResolver(levels: readonly Level[], catalogue: SettingsCatalogue): SettingsResolver {
  const unresolved = unresolvedOf(levels, catalogue);
  const own = unresolved.flatMap((each, at) => (isOwnOfDevice(each) ? [{ each, at }] : []));
  const dependOnOthers = own.some(({ each: { setting } }) => entryOf(setting.path) !== undefined || mayClash(setting.path));
  let common: readonly EffectiveSetting[] | undefined;
  return (variables) => {
    const resolve = (each: UnresolvedSetting): EffectiveSetting => ({ ...each, ...textOf(each, variables) });
    const resolveAll = () => withWholeEntries(withoutClashes(unresolved.map((each) => resolve(each))), catalogue);
    if (dependOnOthers) return resolveAll();
    const resolved = [...(common ??= resolveAll())];
    for (const { each, at } of own) resolved[at] = resolve(each);
    return resolved;
  };
}

const isOwnOfDevice = ({ stored }: UnresolvedSetting) => 'value' in stored && variablesIn(stored.value).length > 0;

function unresolvedOf(levels: readonly Level[], catalogue: SettingsCatalogue): readonly UnresolvedSetting[] {
  const nearest = levels.toReversed();
  const paths = catalogue.inOrder(new Set(levels.flatMap(({ content }) => Object.keys(content))));
  return paths.map((path) => {
    const setting = catalogue.find(path)!;
    const [first, ...overrides] = nearest
      .filter(({ content }) => Object.hasOwn(content, path))
      .map(({ level, content }) => ({ from: level, stored: content[path]! }));
    // One that is sealed stays a secret, though a schema file says otherwise now.
    const shown = 'secret' in first!.stored ? { ...setting, isSecret: true as const } : setting;
    return { setting: shown, ...first!, overrides };
  });
}

/** Values of an entry without a required parameter have that fault. */
function withWholeEntries(resolved: readonly EffectiveSetting[], catalogue: SettingsCatalogue): readonly EffectiveSetting[] {
  const usable = new Set(resolved.filter(({ fault }) => fault === undefined).map(({ setting }) => setting.path));
  const lacked = new Map<string, Setting | undefined>();
  const lackingIn = (list: string, entry: string): Setting | undefined => {
    const key = `${list} ${entry}`;
    if (!lacked.has(key))
      lacked.set(
        key,
        catalogue.ofEntry(list, entry).find(({ path, isRequired }) => isRequired === true && !usable.has(path)),
      );
    return lacked.get(key);
  };
  return resolved.map((effective) => {
    const at = entryOf(effective.setting.path);
    if (at === undefined || effective.fault !== undefined) return effective;
    const lacking = lackingIn(at.list, at.entry);
    if (lacking === undefined) return effective;
    const parameter = lacking.path.slice(lacking.path.lastIndexOf('.') + 1);
    return { ...effective, text: undefined, fault: { kind: 'variable', text: parameter } };
  });
}

function textOf(
  { setting, stored }: UnresolvedSetting,
  variables: ReadonlyMap<string, string>,
): Pick<EffectiveSetting, 'text' | 'fault'> {
  if ('secret' in stored) return { text: undefined, fault: undefined };
  const find = (name: string) => variables.get(name.toLowerCase()) || undefined;
  const lacking = variablesIn(stored.value).find((name) => find(name) === undefined);
  if (lacking !== undefined) return { text: undefined, fault: { kind: 'variable', text: lacking } };
  const text = withVariables(stored.value, find);
  if (fitsSetting(setting, text)) return { text, fault: undefined };
  return { text: undefined, fault: { kind: 'invalid', text: text.slice(0, 200) } };
}

/** The variables of a device: its own values, and its custom properties by their keys. */
export function variablesOf(device: {
  readonly serial: string;
  readonly vehicleNumber: string;
  readonly properties: Readonly<Record<string, boolean | number | string>> | null;
}): ReadonlyMap<string, string> {
  const own = Object.entries(device.properties ?? {}).map(([key, value]) => [key.toLowerCase(), String(value)] as const);
  return new Map([...own, ['serial', device.serial], ['vehicle', device.vehicleNumber]]);
}
