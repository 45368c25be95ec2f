import type { routerSettings, Setting } from '@highline/contract';

// What a value of a level is, and what becomes of it for a device.

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
