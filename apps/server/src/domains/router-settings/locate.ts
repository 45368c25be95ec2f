import { keepResults, wifiNetworks } from '@highline/contract';

/** What a router answered: values by their full paths. */
export type Reported = ReadonlyMap<string, string>;

/** A step of a path: an object, with the key of its instance where it is a table. */
interface Segment {
  readonly name: string;
  readonly key: string;
  readonly of: string;
}

/** A path below `Device.` in parts. */
interface PathParts {
  /** All but the last part: what a router has the parameter at. */
  readonly object: string;
  readonly segments: readonly Segment[];
  readonly parameter: string;
}

const SEGMENT = /^(?<name>[A-Za-z0-9_]+)(?:\[(?<key>[a-z]+)=(?<of>[^\]]+)\])?$/u;

/** Dots within brackets are part of a key: `[band=2.4GHz]`. */
function splitPath(path: string): string[] {
  const parts: string[] = [];
  for (const piece of path.split('.')) {
    const last = parts.at(-1);
    if (last?.includes('[') === true && !last.includes(']')) parts[parts.length - 1] = `${last}.${piece}`;
    else parts.push(piece);
  }
  return parts;
}

const partsOf = keepResults((path): PathParts => {
  const all = splitPath(path);
  const segments = all.slice(0, -1).map((text): Segment => {
    const { name = text, key = '', of = '' } = SEGMENT.exec(text)?.groups ?? {};
    return { name, key, of };
  });
  const parameter = all.at(-1)!;
  return { object: path.slice(0, path.length - parameter.length), segments, parameter };
});

const SSIDS = 'Device.WiFi.SSID.';
const POOLS = 'Device.DHCPv4.Server.Pool.';
const INTERFACES = 'Device.IP.Interface.';
const PPP = 'Device.PPP.Interface.';

/** The parameter that each key is compared with; empty = another one of its table, which is read anyway. */
const keyParameters: Readonly<Record<string, string>> = {
  name: 'Alias',
  ssid: 'SSIDReference',
  band: 'OperatingFrequencyBand',
  user: 'Username',
  uplink: 'Interface',
  pool: 'Name',
};
/** What else instances with a key are found by. */
const referredTo: Readonly<Record<string, readonly string[]>> = {
  ssid: [`${SSIDS}*.Alias`, `${SSIDS}*.SSID`],
  pool: [`${POOLS}*.Alias`, `${POOLS}*.Interface`],
  uplink: [`${INTERFACES}*.LowerLayers`, `${PPP}*.LowerLayers`],
};

/** The parameters to read from a router for this one, with those that its instances are found by. */
export const pathsToFind: (path: string) => readonly string[] = keepResults((path) => {
  const { segments, parameter } = partsOf(path);
  const paths: string[] = [];
  let object = 'Device.';
  for (const { name, key } of segments) {
    const table = `${object}${name}.`;
    if (key === '') {
      object = table;
      continue;
    }
    // Whether the router has the table at all: an empty one reports nothing else.
    if (key === 'name') paths.push(`${object}${name}NumberOfEntries`);
    if (key === 'uplink') paths.push(`${table}*.DestIPAddress`);
    const own = keyParameters[key];
    paths.push(...(own === undefined ? [] : [`${table}*.${own}`]), ...(referredTo[key] ?? []));
    object = `${table}*.`;
  }
  return [...paths, `${object}${parameter}`];
});

/** Where a parameter is on a router. */
export interface Location {
  /** Path of its object with the final dot; undefined = the router has none. */
  readonly object: string | undefined;
  readonly parameter: string;
  /** Path of the last instance on the way, with the final dot. */
  readonly instance: string | undefined;
  /** Path of the table that lacks this instance; undefined = it lacks none, or has no such table. */
  readonly table: string | undefined;
}

/**
 * Find a parameter by the keys of its path.
 * @param isEntry its instance is named by us alone: one without our name is another one
 */
export function locateParameter(reported: Reported, path: string, isEntry: boolean): Location {
  const { object, parameter, segments } = partsOf(path);
  const tables = tablesOf(reported);
  const found = isEntry ? tables.entries : tables.others;
  const known = found.get(object);
  const place = known ?? locateObject(reported, segments, isEntry);
  if (known === undefined) found.set(object, place);
  return { object: place.object, parameter, instance: place.instance, table: place.table };
}

type Place = Omit<Location, 'parameter'>;

function locateObject(reported: Reported, segments: readonly Segment[], isEntry: boolean): Place {
  let object = 'Device.';
  let instance: string | undefined;
  for (const segment of segments) {
    const table = `${object}${segment.name}.`;
    if (segment.key === '') {
      object = table;
      continue;
    }
    instance = findInstance(reported, table, segment, isEntry);
    if (instance === undefined) {
      const isThere = instancesOf(reported, table).length > 0 || reported.has(`${object}${segment.name}NumberOfEntries`);
      return { object: undefined, instance, table: isEntry && isThere ? table : undefined };
    }
    object = instance;
  }
  return { object, instance, table: undefined };
}

/** The name that an instance gets, by the last key of its path; undefined = it is found by something else. */
export function aliasOfPath(path: string): string | undefined {
  const last = partsOf(path).segments.findLast(({ key }) => key !== '');
  return last?.key === 'name' ? last.of : undefined;
}

function findInstance(reported: Reported, table: string, { key, of }: Segment, isEntry: boolean): string | undefined {
  const instances = instancesOf(reported, table);
  const whereReference = (parameter: string, target: string | undefined) =>
    target === undefined ? undefined : instances.find((path) => bare(reported.get(path + parameter) ?? '') === bare(target));
  switch (key) {
    case 'name':
      return isEntry ? instances.find((path) => reported.get(`${path}Alias`) === of) : findNamed(reported, table, of, instances);
    case 'at':
      return instances[Number(of) - 1];
    case 'ssid':
      return whereReference('SSIDReference', findNamed(reported, SSIDS, of, instancesOf(reported, SSIDS)));
    case 'pool': {
      const pool = findNamed(reported, POOLS, of, instancesOf(reported, POOLS));
      const found = pool === undefined ? undefined : reported.get(`${pool}Interface`);
      return found === undefined || found === '' ? undefined : instances.find((path) => bare(path) === bare(found));
    }
    case 'uplink':
      return instances.find((path) => isUplink(reported, path, of));
    default:
      return whereReference(keyParameters[key] ?? '', of);
  }
}

const bare = (path: string) => path.replace(/\.$/u, '');

/** Whether a route is the default one of the modem, maybe through PPP, or of another network. */
function isUplink(reported: Reported, path: string, of: string): boolean {
  if (!['', '0.0.0.0'].includes(reported.get(`${path}DestIPAddress`) ?? '')) return false;
  const layerBelow = (object: string) => reported.get(`${bare(object)}.LowerLayers`) ?? '';
  const lower = layerBelow(reported.get(`${path}Interface`) ?? '');
  const lowest = lower.startsWith(PPP) ? layerBelow(lower) : lower;
  return lowest !== '' && lowest.startsWith('Device.Cellular.') === (of === 'mobile');
}

/** The instance with this alias; while none has it, the first that has no name of ours, in the order of the names. */
function findNamed(reported: Reported, table: string, name: string, instances: readonly string[]): string | undefined {
  const names: readonly string[] = table === SSIDS ? wifiNetworks : [name];
  const aliasOf = (path: string) => reported.get(`${path}Alias`);
  const named = instances.find((path) => aliasOf(path) === name);
  if (named !== undefined) return named;
  const unnamed = instances.filter((path) => !names.includes(aliasOf(path) ?? ''));
  const missing = names.filter((each) => !instances.some((path) => aliasOf(path) === each));
  return unnamed[missing.indexOf(name)];
}

/** What is known of the tables of a router's answer, each found once: every value of a device asks for some. */
interface Tables {
  /** Paths of the instances of each table, ascending. */
  readonly instances: ReadonlyMap<string, readonly string[]>;
  /** Objects that were looked for, by their paths with keys: entries of lists, and others. */
  readonly entries: Map<string, Place>;
  readonly others: Map<string, Place>;
}

const tablesOfReports = new WeakMap<Reported, Tables>();

function tablesOf(reported: Reported): Tables {
  const known = tablesOfReports.get(reported);
  if (known !== undefined) return known;
  const tables: Tables = { instances: findInstances(reported), entries: new Map(), others: new Map() };
  tablesOfReports.set(reported, tables);
  return tables;
}

const instancesOf = (reported: Reported, table: string): readonly string[] => tablesOf(reported).instances.get(table) ?? [];

interface InstanceInPath {
  readonly table: string;
  readonly number: number;
  readonly path: string;
}

const INSTANCE = /\.(\d+)(?=\.)/gu;

/** The instances on the way to a parameter; routers of a model report the same paths. */
const instancesIn = keepResults((path): readonly InstanceInPath[] =>
  Array.from(path.matchAll(INSTANCE), ({ index, 1: digits }) => {
    const table = path.slice(0, index + 1);
    return { table, number: Number(digits), path: `${table}${Number(digits)}.` };
  }).filter(({ number }) => number > 0),
);

function findInstances(reported: Reported): ReadonlyMap<string, readonly string[]> {
  const numbers = new Map<string, Map<number, string>>();
  for (const parameter of reported.keys())
    for (const { table, number, path } of instancesIn(parameter)) {
      const known = numbers.get(table);
      if (known === undefined) numbers.set(table, new Map([[number, path]]));
      else if (!known.has(number)) known.set(number, path);
    }
  return new Map(
    Array.from(numbers, ([table, own]) => [table, [...own].sort(([a], [b]) => a - b).map(([, path]) => path)] as const),
  );
}
