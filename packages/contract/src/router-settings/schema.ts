/** Sections of the form. */
export const settingSections = [
  'wifi',
  'time',
  'lan',
  'dhcp',
  'dns',
  'ports',
  'firewall',
  'routes',
  'uplink',
  'apn',
  'access',
  'vendor',
] as const;
export type SettingSection = (typeof settingSections)[number];

/** What a value is. `text` counts bytes of UTF-8; `address` is one of IPv4, `addresses` several, by commas. */
export type SettingKind =
  | { readonly type: 'flag' }
  | { readonly type: 'text'; readonly least: number; readonly most: number; readonly pattern?: RegExp }
  | { readonly type: 'number'; readonly least: number; readonly most: number; readonly unit?: 'seconds' }
  | { readonly type: 'choice'; readonly options: readonly string[] }
  | { readonly type: 'address' | 'addresses' };

/** A text in English, and in Traditional Chinese where it is known. */
export interface LocalizedText {
  readonly en: string;
  readonly zh?: string | undefined;
}

/** A parameter of TR-181 that a form shows (TPL-01). Instances are named by a key, never by their number. */
export interface Setting {
  /** Below `Device.`: `WiFi.SSID[name=passengers].SSID`. `[name=*]` stands for entries that a user names. */
  readonly path: string;
  readonly section: SettingSection;
  /** Which of several alike it is of: a network, a band or the name of an entry; empty = there is one. */
  readonly of: string;
  /** Key of its label and help in the console. */
  readonly name: string;
  readonly kind: SettingKind;
  /** Stored sealed, never shown, and without variables. */
  readonly isSecret?: true;
  /** A wrong value can cut the router off. */
  readonly canCut?: true;
  /** An entry of its list is nothing without it. */
  readonly isRequired?: true;
  /** Its label and help, where a schema file has them and the console does not. */
  readonly texts?: { readonly label: LocalizedText; readonly help: LocalizedText };
}

/** Networks that a router is expected to have, in the order of its own until they are named. */
export const wifiNetworks = ['passengers', 'staff'] as const;

/** The longest value as it is typed, with variables. */
export const LONGEST_SETTING = 200;
/** Values that a level may set. */
export const MOST_VALUES = 500;
/** Entries of one list that a level may name. */
export const MOST_ENTRIES = 32;
/** Name of an entry, which becomes its alias at the router. */
export const entryName = /^[A-Za-z][A-Za-z0-9_-]{0,30}$/u;

const PRINTABLE = /^[\u0020-\u007e]*$/u;
/** POSIX form, `CST6CDT`. */
const ZONE = /^[A-Za-z0-9<>+,./:-]{3,60}$/u;
const HOST = /^[A-Za-z0-9.:-]+$/u;
const APN = /^[A-Za-z0-9.-]+$/u;

type Row = readonly [parameter: string, name: string, kind: SettingKind, more?: Partial<Setting>];

/** The parameters of one object. @param object with its final dot */
function settingsOf(object: string, section: SettingSection, rows: readonly Row[], of = ''): readonly Setting[] {
  return rows.map(([parameter, name, kind, more]) => ({ path: object + parameter, section, of, name, kind, ...more }));
}

const flag: SettingKind = { type: 'flag' };
const address: SettingKind = { type: 'address' };
const addresses: SettingKind = { type: 'addresses' };
const text = (least: number, most: number, pattern?: RegExp): SettingKind =>
  pattern === undefined ? { type: 'text', least, most } : { type: 'text', least, most, pattern };
const number = (least: number, most: number): SettingKind => ({ type: 'number', least, most });
const seconds = (least: number, most: number): SettingKind => ({ type: 'number', least, most, unit: 'seconds' });
const choice = (...options: readonly string[]): SettingKind => ({ type: 'choice', options });
const numbered = (numbers: readonly number[]) => choice(...numbers.map(String));
const required = { isRequired: true } as const;
const cuts = { canCut: true } as const;
const secret = { isSecret: true } as const;

const network = (of: string): readonly Setting[] => [
  ...settingsOf(
    `WiFi.SSID[name=${of}].`,
    'wifi',
    [
      ['Enable', 'ssidEnable', flag],
      ['SSID', 'ssid', text(1, 32)],
    ],
    of,
  ),
  ...settingsOf(
    `WiFi.AccessPoint[ssid=${of}].Security.`,
    'wifi',
    [['KeyPassphrase', 'passphrase', text(8, 63, PRINTABLE), secret]],
    of,
  ),
];

const radio = (of: string, channels: readonly number[]): readonly Setting[] =>
  settingsOf(
    `WiFi.Radio[band=${of}].`,
    'wifi',
    [
      ['Enable', 'radioEnable', flag],
      ['Channel', 'channel', numbered(channels)],
    ],
    of,
  );

const port = number(1, 65_535);

/** Every parameter of the standard, in the order of the form. */
export const settingsSchema: readonly Setting[] = [
  ...wifiNetworks.flatMap((name) => network(name)),
  ...radio('2.4GHz', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
  ...radio('5GHz', [36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112, 116, 132, 136, 140, 149, 153, 157, 161, 165]),
  ...settingsOf('Time.', 'time', [
    ['NTPServer1', 'ntp1', text(1, 64, HOST)],
    ['NTPServer2', 'ntp2', text(1, 64, HOST)],
    ['LocalTimeZone', 'zone', text(3, 60, ZONE)],
  ]),
  ...settingsOf('IP.Interface[pool=lan].IPv4Address[at=1].', 'lan', [
    ['IPAddress', 'lanAddress', address],
    ['SubnetMask', 'lanMask', address],
  ]),
  ...settingsOf('DHCPv4.Server.Pool[name=lan].', 'dhcp', [
    ['Enable', 'poolEnable', flag],
    ['MinAddress', 'poolFirst', address],
    ['MaxAddress', 'poolLast', address],
    ['LeaseTime', 'leaseTime', seconds(120, 604_800)],
    ['DNSServers', 'poolDns', addresses],
  ]),
  ...settingsOf('DNS.Client.Server[name=*].', 'dns', [
    ['DNSServer', 'dnsServer', address, required],
    ['Enable', 'entryEnable', flag],
  ]),
  ...settingsOf('NAT.PortMapping[name=*].', 'ports', [
    ['ExternalPort', 'externalPort', port, required],
    ['Protocol', 'protocol', choice('TCP', 'UDP'), required],
    ['InternalClient', 'internalClient', address, required],
    ['InternalPort', 'internalPort', port, required],
    ['Enable', 'entryEnable', flag, required],
  ]),
  ...settingsOf('Firewall.', 'firewall', [['Enable', 'firewallEnable', flag, cuts]]),
  ...settingsOf('Firewall.Chain[at=1].Rule[name=*].', 'firewall', [
    ['Order', 'ruleOrder', number(1, 999), { ...cuts, ...required }],
    ['Target', 'ruleTarget', choice('Accept', 'Drop', 'Reject'), { ...cuts, ...required }],
    ['Protocol', 'ruleProtocol', choice('-1', '6', '17', '1'), cuts],
    ['SourceIP', 'ruleSource', address, cuts],
    ['SourceMask', 'ruleSourceMask', address, cuts],
    ['DestIP', 'ruleDestination', address, cuts],
    ['DestPort', 'rulePort', port, cuts],
    ['Enable', 'entryEnable', flag, { ...cuts, ...required }],
  ]),
  ...settingsOf('Routing.Router[at=1].IPv4Forwarding[name=*].', 'routes', [
    ['DestIPAddress', 'routeAddress', address, { ...cuts, ...required }],
    ['DestSubnetMask', 'routeMask', address, { ...cuts, ...required }],
    ['GatewayIPAddress', 'routeGateway', address, { ...cuts, ...required }],
    ['ForwardingMetric', 'routeMetric', number(0, 9_999), cuts],
    ['Enable', 'entryEnable', flag, { ...cuts, ...required }],
  ]),
  ...['mobile', 'ethernet'].flatMap((of) =>
    settingsOf(
      `Routing.Router[at=1].IPv4Forwarding[uplink=${of}].`,
      'uplink',
      [['ForwardingMetric', `metric_${of}`, number(0, 9_999), cuts]],
      '',
    ),
  ),
  ...settingsOf('Cellular.AccessPoint[name=internet].', 'apn', [
    ['APN', 'apn', text(1, 64, APN), cuts],
    ['Username', 'apnUser', text(1, 64, PRINTABLE), cuts],
    ['Password', 'apnPassword', text(1, 64, PRINTABLE), { ...secret, ...cuts }],
  ]),
  ...settingsOf('Cellular.', 'apn', [['RoamingEnabled', 'roaming', flag, cuts]]),
  ...settingsOf('Cellular.Interface[at=1].', 'apn', [
    ['PreferredAccessTechnology', 'technology', choice('Auto', 'UMTS', 'LTE', 'NR'), cuts],
  ]),
  ...settingsOf('Users.User[user=admin].', 'access', [['Password', 'userPassword', text(1, 64, PRINTABLE), secret]]),
  ...settingsOf('SSH.Server[at=1].', 'access', [['IdleTimeout', 'sshIdle', seconds(1, 86_400)]]),
];

const ENTRY = /\[name=(?<name>[^\]]*)\]/u;
const LIST_END = '[name=*].';

interface Position {
  readonly at: number;
  readonly setting: Setting;
  /** Name of the entry; empty = it is of no list. */
  readonly entry: string;
}

/** Parameters that can be set, by their paths. */
export interface SettingsCatalogue {
  /** In the order of the form. */
  readonly settings: readonly Setting[];
  /** Lists whose entries a user names: `NAT.PortMapping[name=*].`. */
  readonly lists: readonly string[];
  /** The parameter of a path, with the name of its entry; undefined = there is none. */
  find(path: string): Setting | undefined;
  /** Paths in the order of the form, without those that are none. */
  inOrder(paths: Iterable<string>): readonly string[];
  /** The parameters of an entry of a list. */
  ofEntry(list: string, entry: string): readonly Setting[];
}

/** @param settings a later one replaces an earlier one of the same path */
export function createCatalogue(settings: readonly Setting[]): SettingsCatalogue {
  const byPath = new Map(settings.map((setting) => [setting.path, setting]));
  const all = [...byPath.values()];
  const positions = new Map(all.map((setting, at): [string, Position] => [setting.path, { at, setting, entry: '' }]));
  const lists = [...new Set(all.flatMap(({ path }) => (path.includes(LIST_END) ? [listOf(path)] : [])))];
  const firstOf = new Map(lists.map((list) => [list, all.findIndex(({ path }) => path.startsWith(list))]));
  const ofList = new Map(lists.map((list) => [list, all.filter(({ path }) => path.startsWith(list))]));

  // The same paths are looked up for each of many devices.
  const positionOf = keepResults((path: string): Position | undefined => {
    const exact = positions.get(path);
    const entry = ENTRY.exec(path)?.groups?.['name'] ?? '';
    if (exact !== undefined) return entry === '*' ? undefined : exact;
    if (!entryName.test(entry)) return undefined;
    const found = positions.get(path.replace(ENTRY, '[name=*]'));
    return found && { ...found, entry };
  });
  return {
    settings: all,
    lists,
    find(path) {
      const found = positionOf(path);
      return found === undefined || found.entry === '' ? found?.setting : { ...found.setting, path, of: found.entry };
    },
    inOrder(paths) {
      const found = [...paths].flatMap((path) => {
        const position = positionOf(path);
        if (position === undefined) return [];
        const { at, entry, setting } = position;
        return [{ path, at, entry, first: entry === '' ? at : firstOf.get(listOf(setting.path))! }];
      });
      return found.toSorted((a, b) => a.first - b.first || compareNames(a.entry, b.entry) || a.at - b.at).map(({ path }) => path);
    },
    ofEntry: (list, entry) =>
      (ofList.get(list) ?? []).map((setting) => ({
        ...setting,
        path: setting.path.replace('[name=*]', `[name=${entry}]`),
        of: entry,
      })),
  };
}

const MOST_KEPT = 10_000;
/** Paths are shorter; what a router sends instead of one must not stay. */
const LONGEST_KEPT = 256;

/** The same function, which computes the result of a short text once as long as it is one of the last 10,000. */
export function keepResults<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined || results.has(text)) return known!;
    if (text.length > LONGEST_KEPT) return compute(text);
    if (results.size >= MOST_KEPT) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}

const listOf = (template: string) => template.slice(0, template.indexOf(LIST_END) + LIST_END.length);
const compareNames = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Parameters of one family of models, or of other vendors; what the standard has too replaces it for these models. */
export interface SettingsFamily {
  readonly name: string;
  /** Models, or their beginnings with a final `*`. */
  readonly models: readonly string[];
  readonly settings: readonly Setting[];
  /** They return to their former values by themselves when they do not reach us with new ones. */
  readonly returns?: true;
}

/** Families that are known from the beginning. */
export const settingFamilies: readonly SettingsFamily[] = [
  {
    name: 'Highline',
    models: ['HL-*'],
    returns: true,
    settings: [
      ...settingsOf('Users.User[user=admin].', 'access', [['Password', 'userPassword', text(8, 64, PRINTABLE), secret]]),
      ...settingsOf('SSH.Server[at=1].', 'access', [['IdleTimeout', 'sshIdle', seconds(30, 3_600)]]),
    ],
  },
];

/** A parameter as a schema file describes it. */
export interface SchemaFileSetting {
  readonly path: string;
  readonly label: LocalizedText;
  readonly help?: LocalizedText | undefined;
  readonly type: SettingKind['type'];
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  readonly options?: readonly string[] | undefined;
  readonly secret?: boolean | undefined;
  readonly can_cut?: boolean | undefined;
}

/** Parameters of models of other vendors, or other ranges than the standard's, as a file. */
export interface SchemaFileContent {
  readonly name: string;
  readonly models: readonly string[];
  readonly settings: readonly SchemaFileSetting[];
}

/** The family that a schema file describes. */
export function toFamily({ name, models, settings }: SchemaFileContent): SettingsFamily {
  return { name, models, settings: settings.map((each) => toSetting(name, each)) };
}

const SECRET_NAME = /Password|Passphrase|Secret|PreSharedKey|SharedKey|PrivateKey|WEPKey/iu;
const SECRET_END = /(?:Password|Passphrase|Secret|PreSharedKey|SharedKey|PrivateKey|WEPKey|PIN)$/iu;
/** Objects through which a router is reached, and who may reach it. */
const CUTTING = /^(?:Cellular|Firewall|LocalAgent|ManagementServer|MQTT|PPP|Routing|STOMP|Users)\./u;

/** Whether a parameter is a secret by its name in TR-181, whatever a file says; a switch is none. */
export function isSecretByName({ path, type }: Pick<SchemaFileSetting, 'path' | 'type'>): boolean {
  const parameter = path.slice(path.lastIndexOf('.') + 1);
  return SECRET_END.test(parameter) ? type !== 'flag' : type === 'text' && SECRET_NAME.test(parameter);
}

/** Whether a wrong value of a parameter can cut a router off by its object, whatever a file says. */
export function canCutByName({ path }: Pick<SchemaFileSetting, 'path'>): boolean {
  return CUTTING.test(path);
}

function toSetting(file: string, { path, label, help, secret: isSecret, can_cut: canCut, ...rest }: SchemaFileSetting): Setting {
  return {
    path,
    section: 'vendor',
    of: file,
    name: path,
    kind: toKind(rest),
    texts: { label, help: help ?? { en: '' } },
    ...(isSecret === true || (rest.type === 'text' && isSecretByName({ path, ...rest })) ? secret : {}),
    ...(canCut === true || canCutByName({ path }) ? cuts : {}),
  };
}

function toKind({ type, least, most, options }: Pick<SchemaFileSetting, 'type' | 'least' | 'most' | 'options'>): SettingKind {
  switch (type) {
    case 'text':
      return { type, least: least ?? 1, most: most ?? LONGEST_SETTING };
    case 'number':
      return { type, least: least ?? 0, most: most ?? 999_999_999 };
    case 'choice':
      return { type, options: options ?? [] };
    default:
      return { type };
  }
}

const standard: ReadonlySet<string> = new Set(settingsSchema.map(({ path }) => path));

/** Whether a family is for a model. */
export function isOfFamily({ models }: Pick<SettingsFamily, 'models'>, model: string): boolean {
  return models.some((each) => (each.endsWith('*') ? model.startsWith(each.slice(0, -1)) : model === each));
}

/** Whether routers of a model return to their former values by themselves. */
export function returnsByItself(model: string): boolean {
  return settingFamilies.some((family) => family.returns === true && isOfFamily(family, model));
}

/**
 * What can be set on a model; without one, what can be set on any.
 * @param families further ones, of vendors
 */
export function catalogueOf(model: string | undefined, families: readonly SettingsFamily[] = []): SettingsCatalogue {
  const known = [...settingFamilies, ...families].filter((family) => model === undefined || isOfFamily(family, model));
  const more = known.flatMap(({ settings }) => settings);
  // Without a model, what the standard allows may be saved; each device is checked by its own.
  return createCatalogue([...settingsSchema, ...(model === undefined ? more.filter(({ path }) => !standard.has(path)) : more)]);
}

/** What the standard and the known families have. */
export const standardCatalogue: SettingsCatalogue = catalogueOf(undefined);

/** The list and the entry of a path; undefined = it is of no list of entries. */
export const entryOf = keepResults((path): { readonly list: string; readonly entry: string } | undefined => {
  const entry = ENTRY.exec(path)?.groups?.['name'];
  if (entry === undefined) return undefined;
  const list = path.slice(0, path.indexOf(`[name=${entry}].`)) + LIST_END;
  return standardCatalogue.lists.includes(list) ? { list, entry } : undefined;
});

/** What the vehicle itself has; other variables are the keys of custom properties. */
export const builtInVariables = ['vehicle', 'serial'] as const;

const VARIABLE = /\{\{([^{}]{1,40})\}\}/gu;

/** Names of the variables in a value, as typed between braces. */
export function variablesIn(value: string): readonly string[] {
  return value.includes('{{') ? namesIn(value) : [];
}

/** The same value is resolved for many devices. */
const namesIn = keepResults((value) => Array.from(value.matchAll(VARIABLE), (match) => match[1]!.trim()));

/** The value with its variables replaced. @param find undefined = it has no value, and the variable stays */
export function withVariables(value: string, find: (name: string) => string | undefined): string {
  return value.replace(VARIABLE, (whole, name: string) => find(name.trim()) ?? whole);
}

const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/u;

const encoder = new TextEncoder();

/** Something is seen of it; marks that turn the direction of text would let one network look like another in lists and on phones, and U+FFFD is a character that was lost. */
const SHOWN = /^(?=.*\S)[^\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060\u2066-\u2069\uFEFF\uFFFD]*$/u;

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
      const bytes = encoder.encode(value).length;
      return bytes >= kind.least && bytes <= kind.most && (kind.pattern ?? SHOWN).test(value);
    }
  }
}

/** Whether a value may be saved: it fits, or it is a text with variables, which is compared for each vehicle. */
export function mayBeSaved(setting: Setting, value: string): boolean {
  if (fitsSetting(setting, value)) return true;
  if (setting.kind.type !== 'text' || setting.isSecret === true || variablesIn(value).length === 0) return false;
  return (setting.kind.pattern ?? SHOWN).test(withVariables(value, () => 'any'));
}
