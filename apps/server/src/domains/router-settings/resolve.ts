import { fitsSetting, settingsSchema, variablesIn, withVariables, type routerSettings, type Setting } from '@highline/contract';

/** A value as it is stored: a text with variables, or the id of a sealed one. */
export type StoredValue = { readonly value: string } | { readonly secret: string };

/** The values of a level by their paths. */
export type LevelContent = Readonly<Record<string, StoredValue>>;

/** A level with its values. */
export interface Level {
  readonly level: routerSettings.SettingLevel;
  readonly content: LevelContent;
}

/** Why a value cannot be sent: a variable has none, or with its variables it does not fit. */
export interface ValueFault {
  readonly kind: 'variable' | 'invalid';
  /** The variable, or the value. */
  readonly text: string;
}

/** The value of a device that counts, and what it replaces. */
export interface EffectiveSetting {
  readonly setting: Setting;
  readonly from: routerSettings.SettingLevel;
  readonly stored: StoredValue;
  /** With its variables replaced; undefined = a secret, or it has a fault. */
  readonly text: string | undefined;
  readonly fault: ValueFault | undefined;
  /** The nearest level first. */
  readonly overrides: readonly { readonly from: routerSettings.SettingLevel; readonly stored: StoredValue }[];
}

/**
 * The values of a device out of the levels, each from the last level that has it (TPL-02).
 * @param levels from the organization to the device
 * @param variables values by the lower-case names of variables; empty ones count as none
 */
export function resolveSettings(levels: readonly Level[], variables: ReadonlyMap<string, string>): readonly EffectiveSetting[] {
  return settingsSchema.flatMap((setting) => {
    const found = levels
      .filter(({ content }) => Object.hasOwn(content, setting.path))
      .map(({ level, content }) => ({ from: level, stored: content[setting.path]! }))
      .toReversed();
    const [first, ...overrides] = found;
    return first === undefined ? [] : [{ setting, ...first, ...textOf(setting, first.stored, variables), overrides }];
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
