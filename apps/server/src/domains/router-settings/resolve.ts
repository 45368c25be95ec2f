import {
  entryOf,
  fitsSetting,
  standardCatalogue,
  variablesIn,
  withVariables,
  type Setting,
  type SettingsCatalogue,
} from '@highline/contract';
import { withoutClashes } from './clashes.ts';
import type { EffectiveSetting, Level, StoredValue } from './effective-setting.ts';

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
  const nearest = levels.toReversed();
  const paths = catalogue.inOrder(new Set(levels.flatMap(({ content }) => Object.keys(content))));
  const resolved = paths.map((path): EffectiveSetting => {
    const setting = catalogue.find(path)!;
    const [first, ...overrides] = nearest
      .filter(({ content }) => Object.hasOwn(content, path))
      .map(({ level, content }) => ({ from: level, stored: content[path]! }));
    // One that is sealed stays a secret, though a schema file says otherwise now.
    const shown = 'secret' in first!.stored ? { ...setting, isSecret: true as const } : setting;
    return { setting: shown, ...first!, ...textOf(setting, first!.stored, variables), overrides };
  });
  return withWholeEntries(withoutClashes(resolved), catalogue);
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
  setting: Setting,
  stored: StoredValue,
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
