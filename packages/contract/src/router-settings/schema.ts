/** Sections of the form. */
export const settingSections = ['wifi', 'time', 'dhcp', 'apn'] as const;
export type SettingSection = (typeof settingSections)[number];

/** What a value is. `text` counts bytes of UTF-8; `address` is one of IPv4, `addresses` several, by commas. */
export type SettingKind =
  | { readonly type: 'flag' }
  | { readonly type: 'text'; readonly least: number; readonly most: number; readonly pattern?: RegExp }
  | { readonly type: 'number'; readonly least: number; readonly most: number; readonly unit?: 'seconds' }
  | { readonly type: 'choice'; readonly options: readonly string[] }
  | { readonly type: 'address' | 'addresses' };

/** A parameter of TR-181 that a form shows (TPL-01). Instances are named by a key, never by their number. */
export interface Setting {
  /** Below `Device.`: `WiFi.SSID[name=passengers].SSID`. */
  readonly path: string;
  readonly section: SettingSection;
  /** Which of several alike it is of: a network or a band; empty = there is one. */
  readonly of: string;
  /** Key of its label and help in the console. */
  readonly name: string;
  readonly kind: SettingKind;
  /** Stored sealed, never shown, and without variables. */
  readonly isSecret?: true;
  /** A wrong value can cut the router off. */
  readonly canCut?: true;
}

/** Networks that a router is expected to have, in the order of its own until they are named. */
export const wifiNetworks = ['passengers', 'staff'] as const;

const PRINTABLE = /^[\u0020-\u007e]*$/u;
/** POSIX form, `CST6CDT`. */
const ZONE = /^[A-Za-z0-9<>+,./:-]{3,60}$/u;
const HOST = /^[A-Za-z0-9.:-]+$/u;
const APN = /^[A-Za-z0-9.-]+$/u;

const network = (of: string): readonly Setting[] => [
  { path: `WiFi.SSID[name=${of}].Enable`, section: 'wifi', of, name: 'ssidEnable', kind: { type: 'flag' } },
  { path: `WiFi.SSID[name=${of}].SSID`, section: 'wifi', of, name: 'ssid', kind: { type: 'text', least: 1, most: 32 } },
  {
    path: `WiFi.AccessPoint[ssid=${of}].Security.KeyPassphrase`,
    section: 'wifi',
    of,
    name: 'passphrase',
    kind: { type: 'text', least: 8, most: 63, pattern: PRINTABLE },
    isSecret: true,
  },
];

const radio = (of: string, options: readonly string[]): readonly Setting[] => [
  { path: `WiFi.Radio[band=${of}].Enable`, section: 'wifi', of, name: 'radioEnable', kind: { type: 'flag' } },
  { path: `WiFi.Radio[band=${of}].Channel`, section: 'wifi', of, name: 'channel', kind: { type: 'choice', options } },
];

const numbered = (numbers: readonly number[]) => numbers.map(String);

/** Every parameter, in the order of the form. What is not here cannot be saved. */
export const settingsSchema: readonly Setting[] = [
  ...wifiNetworks.flatMap((name) => network(name)),
  ...radio('2.4GHz', numbered([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])),
  ...radio('5GHz', numbered([36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112, 116, 132, 136, 140, 149, 153, 157, 161, 165])),
  { path: 'Time.NTPServer1', section: 'time', of: '', name: 'ntp1', kind: { type: 'text', least: 1, most: 64, pattern: HOST } },
  { path: 'Time.NTPServer2', section: 'time', of: '', name: 'ntp2', kind: { type: 'text', least: 1, most: 64, pattern: HOST } },
  {
    path: 'Time.LocalTimeZone',
    section: 'time',
    of: '',
    name: 'zone',
    kind: { type: 'text', least: 3, most: 60, pattern: ZONE },
  },
  { path: 'DHCPv4.Server.Pool[name=lan].Enable', section: 'dhcp', of: '', name: 'poolEnable', kind: { type: 'flag' } },
  { path: 'DHCPv4.Server.Pool[name=lan].MinAddress', section: 'dhcp', of: '', name: 'poolFirst', kind: { type: 'address' } },
  { path: 'DHCPv4.Server.Pool[name=lan].MaxAddress', section: 'dhcp', of: '', name: 'poolLast', kind: { type: 'address' } },
  {
    path: 'DHCPv4.Server.Pool[name=lan].LeaseTime',
    section: 'dhcp',
    of: '',
    name: 'leaseTime',
    kind: { type: 'number', least: 120, most: 604_800, unit: 'seconds' },
  },
  { path: 'DHCPv4.Server.Pool[name=lan].DNSServers', section: 'dhcp', of: '', name: 'poolDns', kind: { type: 'addresses' } },
  {
    path: 'Cellular.AccessPoint[name=internet].APN',
    section: 'apn',
    of: '',
    name: 'apn',
    kind: { type: 'text', least: 1, most: 64, pattern: APN },
    canCut: true,
  },
  {
    path: 'Cellular.AccessPoint[name=internet].Username',
    section: 'apn',
    of: '',
    name: 'apnUser',
    kind: { type: 'text', least: 1, most: 64, pattern: PRINTABLE },
    canCut: true,
  },
  {
    path: 'Cellular.AccessPoint[name=internet].Password',
    section: 'apn',
    of: '',
    name: 'apnPassword',
    kind: { type: 'text', least: 1, most: 64, pattern: PRINTABLE },
    isSecret: true,
    canCut: true,
  },
];

/** What the vehicle itself has; other variables are the keys of custom properties. */
export const builtInVariables = ['vehicle', 'serial'] as const;

/** The longest value as it is typed, with variables. */
export const LONGEST_SETTING = 200;

const VARIABLE = /\{\{([^{}]{1,40})\}\}/gu;

/** Names of the variables in a value, as typed between braces. */
export function variablesIn(value: string): readonly string[] {
  return Array.from(value.matchAll(VARIABLE), (match) => match[1]!.trim());
}

/** The value with its variables replaced. @param find undefined = it has no value, and the variable stays */
export function withVariables(value: string, find: (name: string) => string | undefined): string {
  return value.replace(VARIABLE, (whole, name: string) => find(name.trim()) ?? whole);
}

const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/u;

/** Whether a value without variables is one of this parameter. */
export function fitsSetting({ kind }: Pick<Setting, 'kind'>, value: string): boolean {
  switch (kind.type) {
    case 'flag':
      return value === 'true' || value === 'false';
    case 'choice':
      return kind.options.includes(value);
    case 'number':
      return /^\d{1,9}$/u.test(value) && Number(value) >= kind.least && Number(value) <= kind.most;
    case 'address':
      return ADDRESS.test(value);
    case 'addresses':
      return value.length <= 80 && value.split(',').every((each) => ADDRESS.test(each.trim()));
    case 'text': {
      const bytes = new TextEncoder().encode(value).length;
      // Marks that turn the direction of text would let one network look like another in lists and on phones.
      const shown = /^[^\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]*$/u;
      return bytes >= kind.least && bytes <= kind.most && (kind.pattern ?? shown).test(value);
    }
  }
}

/** Whether a value may be saved: it fits, or it is a text with variables, which is compared for each vehicle. */
export function mayBeSaved(setting: Setting, value: string): boolean {
  if (fitsSetting(setting, value)) return true;
  return setting.kind.type === 'text' && setting.isSecret !== true && variablesIn(value).length > 0;
}
