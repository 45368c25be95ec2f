type JsonSchema = Readonly<Record<string, unknown>>;

/** Texts and numbers by the name of their field, the first that a schema accepts. */
const byName: Readonly<Record<string, readonly unknown[]>> = {
  serial: ['HL5-20260117'],
  serial_number: ['HL5-20260117'],
  sn: ['HL5-20260117'],
  serials: ['HL5-20260117'],
  mac: ['020000A1B2C3'],
  vehicle: ['Bus 2104'],
  vehicle_number: ['Bus 2104'],
  vehicleNumber: ['Bus 2104'],
  device_name: ['Bus 2104'],
  model: ['HL-R520 5G'],
  profile: ['HL-R520 5G'],
  firmware: ['3.0.0'],
  version: ['3.0.0'],
  email: ['dispatcher@lakeshore.example'],
  excepted: ['admin@lakeshore.example'],
  mail: ['dispatcher@lakeshore.example'],
  mails: ['dispatcher@lakeshore.example'],
  recipients: ['dispatcher@lakeshore.example'],
  hexagon: ['882664c1a9fffff'],
  bbox: ['-88.0,41.6,-87.4,42.1'],
  by: ['admin@lakeshore.example'],
  name: ['North depot'],
  group_name: ['North depot'],
  orgName: ['Lakeshore Transit'],
  projectName: ['Lakeshore Transit'],
  note: ['Spare antenna fitted'],
  notes: ['Spare antenna fitted'],
  tag: ['school-bus'],
  tags: ['school-bus'],
  started: ['01/15/2026'],
  expired: ['01/14/2027'],
  expires: ['2099-01-14T00:00:00Z', '01/14/2027'],
  from: ['11/01/2026', 1_793_491_200, '2026-11-01'],
  until: ['11/23/2026', 1_795_392_000, '2026-11-23'],
  day: ['2026-11-23'],
  month: ['2026-11-01'],
  today: ['2026-11-23'],
  created: ['2026-11-23T09:27:00Z'],
  updated: ['2026-11-23T09:27:00Z'],
  at: ['2026-11-23T09:27:00Z', 1_795_425_000, '41.9,-87.6'],
  // A key and a secret as browsers make them (RFC 8291, section 5).
  p256dh: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
  auth: ['BTBZMqHH6r4Tts7J_aSIgg'],
  endpoint: ['https://push.example.com/messages/1'],
  zone: ['America/Chicago'],
  currency: ['USD'],
  timestamp: [1_795_425_000],
  presence_since: [1_795_425_000],
  last_seen: [1_795_425_000],
  iccid: ['8901410321111851072'],
  cellular_iccid: ['8901410321111851072'],
  eid: ['89049032007008882600112233445566'],
  cellular_eid: ['89049032007008882600112233445566'],
  imsi: ['310410123456789'],
  cellular_imsi: ['310410123456789'],
  imei: ['353918056897641'],
  cellular_imei: ['353918056897641'],
  mtn: ['13125550147'],
  cellular_mtn: ['13125550147'],
  carrier: ['AT&T'],
  cellular_mno: ['AT&T'],
  cellular_technology: ['5G SA'],
  cellular_rssi: [-67],
  health: [92],
  iccids: ['8901410321111851072'],
  endpointId: ['os::00B2D0-HL5-20260117'],
  property: ['rssi'],
  propertyId: ['rssi'],
  technology: ['LTE'],
  url: ['https://hooks.lakeshore.example/fleet'],
  ip: ['203.0.113.14'],
  address: ['203.0.113.14'],
  lastAddress: ['203.0.113.14'],
  ranges: ['203.0.113.0/24'],
  operations: ['devices.list'],
  rights: ['devices.read'],
  ownRole: [null],
  limit: [50],
  limitedTo: [null],
  offset: [0],
  total: [1],
  search: ['Bus'],
  latitude: [41.8781],
  longitude: [-87.6298],
  status: [200, 'online'],
};

/** What an example leaves out: fields for clients of older versions. */
const LEFT_OUT = new Set(['realm', 'project', 'projectId']);
/** Texts for fields whose name says nothing, one of which fits every pattern in use. */
const PLAIN = ['example', '7', 'a1b2c3d4e5f6', '12', '08:30'];
const ID = '0b9f6a1e-3c55-4a57-9d0e-2f1d8c7b6a54';
const CURSOR_FIELDS = new Set(['cursor', 'next', 'previous']);

/** A value that a JSON Schema accepts. @param name of its field; it chooses the text */
export function exampleOf(schema: JsonSchema, name: string): unknown {
  const given = schema['examples'] as readonly unknown[] | undefined;
  if (given !== undefined) return given[0];
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  const [first] = (schema['enum'] ?? []) as unknown[];
  if (first !== undefined) return first;
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
  // Few people have a role of their company, or are limited.
  const isUsuallyNull = byName[name]?.[0] === null && choices?.some(({ type }) => type === 'null') === true;
  if (isUsuallyNull) return null;
  if (choices !== undefined) return exampleOf(choices.find(({ type }) => type !== 'null') ?? choices[0]!, name);
  const all = schema['allOf'] as readonly JsonSchema[] | undefined;
  if (all !== undefined && schema['type'] !== 'string')
    return Object.assign({}, ...all.map((part) => exampleOf(part, name))) as unknown;
  // A nullable field is shown with a value.
  switch (Array.isArray(schema['type']) ? schema['type'].find((type) => type !== 'null') : schema['type']) {
    case 'object':
      return objectExample(schema);
    case 'array':
      return arrayExample(schema, name);
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return numberExample(schema, name);
    case 'string':
      return textExample(schema, name);
    case 'null':
      return null;
    default:
      return name === 'body' ? {} : (byName[name]?.[0] ?? 'example');
  }
}

function objectExample(schema: JsonSchema): Record<string, unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = new Set(schema['required'] as readonly string[] | undefined);
  const isShown = (name: string) => required.has(name) || !LEFT_OUT.has(name);
  const fields = properties.filter(([name]) => isShown(name)).map(([name, field]) => [name, exampleOf(field, name)] as const);
  const rest = schema['additionalProperties'];
  if (fields.length > 0 || typeof rest !== 'object' || rest === null) return Object.fromEntries(fields);
  const names = schema['propertyNames'] as JsonSchema | undefined;
  const keys = (names?.['enum'] as readonly string[] | undefined) ?? [String(exampleOf(names ?? { type: 'string' }, 'key'))];
  return Object.fromEntries(keys.map((key) => [key, exampleOf(rest as JsonSchema, 'value')]));
}

function arrayExample(schema: JsonSchema, name: string): unknown[] {
  const tuple = schema['prefixItems'] as readonly JsonSchema[] | undefined;
  if (tuple !== undefined) return tuple.map((item) => exampleOf(item, name));
  const one = exampleOf((schema['items'] ?? {}) as JsonSchema, name);
  return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () => one);
}

function numberExample(schema: JsonSchema, name: string): number {
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? Number.NEGATIVE_INFINITY);
  const most = Number(schema['maximum'] ?? Number.POSITIVE_INFINITY);
  const known = byName[name]?.find((value) => typeof value === 'number');
  const value = typeof known === 'number' ? known : 12;
  return Math.min(Math.max(value, 'exclusiveMinimum' in schema ? least + 1 : least), most);
}

function textExample(schema: JsonSchema, name: string): string {
  if (CURSOR_FIELDS.has(name)) return 'eyJhZnRlciI6WyJITDUtMjAyNjAxMTciXX0';
  const parts = [schema, ...((schema['allOf'] ?? []) as readonly JsonSchema[])];
  const patterns = parts.flatMap(({ pattern }) => (typeof pattern === 'string' ? [new RegExp(pattern, 'u')] : []));
  const fits = (text: unknown): text is string =>
    typeof text === 'string' &&
    patterns.every((pattern) => pattern.test(text)) &&
    text.length >= Number(schema['minLength'] ?? 0) &&
    text.length <= Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY);
  if (schema['format'] === 'uuid') return ID;
  if (schema['format'] === 'date-time') return '2026-11-23T09:27:00Z';
  const ids = /(?:^|_)(?:id|org|group|device|account|key)$|Id$/u.test(name) ? [ID] : [];
  return [...(byName[name] ?? []), ...ids, ...PLAIN].find(fits) ?? 'example';
}
