import { randomBytes, type KeyObject } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { MapStyle, MapTiles } from './base-map.ts';
import type { BucketSettings } from './bucket-url.ts';
import { combinationFaults, type Mode } from './combinations.ts';
import type { NatsClientCertificate, NatsSettings } from './nats-settings.ts';
import type { SinkSettings } from './sink-settings.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';
import { nameFaults } from './names.ts';
import { readKey, variables, type Environment, type LogLevel, type Name, type Ports, type Values } from './variables.ts';

/**
 * A fault that an administrator can fix. Its message is one or several plain lines: print it without a stack and exit with code
 * 1.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}

/** Which PostgreSQL to use: the embedded one, or an external one. */
export type DatabaseSettings =
  | {
      readonly kind: 'embedded';
      /** Contains the database files and nothing else. */
      readonly folder: string;
      readonly poolSize: number;
    }
  | {
      readonly kind: 'external';
      /** Signs in as the owner, who migrates. */
      readonly url: string;
      /** Signs in as a member of highline_serve only; without it the owner's sessions switch to that role. */
      readonly serveUrl?: string;
      /** `serveUrl` and the replica lead to a pooler in transaction mode. */
      readonly pooled?: boolean;
      /** A streaming replica for lists, and the age from which on it is not used. */
      readonly replica?: { readonly url: string; readonly mostAgeSeconds: number };
      readonly poolSize: number;
    };

/** The part of an installation that is divided into cells; none = it is not. */
export type CellSettings =
  | {
      readonly kind: 'directory';
      /** Origin of each cell by its name. */
      readonly cells: ReadonlyMap<string, string>;
      readonly key: KeyObject;
    }
  | {
      readonly kind: 'member';
      /** Name of this cell. */
      readonly cell: string;
      /** Origin of the directory. */
      readonly url: string;
      readonly key: KeyObject;
    }
  /** It was a cell. */
  | { readonly kind: 'left' };

/** All validated settings of a process. */
export interface Settings {
  readonly mode: Mode;
  readonly http: {
    readonly host: string;
    /** 0 lets the system choose. */
    readonly port: number;
    /** Scheme, host and port for browsers and routers, without a trailing slash. */
    readonly publicUrl: string;
    /** Addresses, networks or names in the format of fastify's trustProxy; none = headers of proxies are ignored. */
    readonly trustedProxies: readonly string[];
    readonly tls?: TlsFiles;
  };
  /** What log lines, metrics and messages call this process. */
  readonly nodeName: string;
  /** Absolute; exists, and is private to the user of the server, but for commands that do not use it. */
  readonly dataDir: string;
  readonly database: DatabaseSettings;
  /** Firmware images and log checkpoints; none = the data folder. */
  readonly bucket?: BucketSettings;
  /** Messages to other processes at the database; none = this is the only one. */
  readonly nats?: NatsSettings;
  readonly cells?: CellSettings;
  /** 32 bytes; other secrets are derived from it or sealed with it. */
  readonly masterKey: KeyObject;
  /** The key that `masterKey` replaces; none = it replaces none now. */
  readonly previousMasterKey?: KeyObject;
  readonly mail:
    | { readonly kind: 'smtp'; readonly url: string; readonly from: string }
    | { readonly kind: 'outbox'; readonly folder: string; readonly from: string };
  readonly logLevel: LogLevel;
  /** Calls and statements that take so many milliseconds are logged; 0 = none. */
  readonly slowMs: number;
  /** The endpoint id by which routers identify us (TR-369, R-ARC.0). */
  readonly controllerId: string;
  /** A subscription that ends within this many days is expiring. */
  readonly expiringDays: number;
  /** The keep-alive window of routers: one silent for this long counts as offline. */
  readonly routerOfflineSeconds: number;
  /** Listening address of /metrics; none = disabled. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /** Some routers connect again when this process has more of them than the others. */
  readonly balancesRouters: boolean;
  /** Seconds between two reports of a router whose group has no interval. */
  readonly reportSeconds: number;
  /** Retention of telemetry in days. */
  readonly telemetryDays: number;
  /** Days that positions are kept. */
  readonly positionDays: number;
  /** Days that data used per SIM is kept (USE-01). */
  readonly usageDays: number;
  /** Where readings are copied to, and how many hours they wait for it; none = nowhere. */
  readonly telemetrySink?: { readonly to: SinkSettings; readonly hours: number };
  /** The map of the operator, over the one that is shipped (POS-03). */
  readonly baseMap: {
    readonly style?: MapStyle;
    /** Origins that the style may load from, its own included. */
    readonly origins: readonly string[];
    readonly tiles: readonly MapTiles[];
  };
  /** Retention of log entries in days. */
  readonly logRetentionDays: number;
  /** So many alerts of one rule in one message are a storm (ALR-06). */
  readonly alertStorm: number;
  readonly webhooks: {
    /** Days that their events are kept. */
    readonly logDays: number;
    /** Also without TLS. */
    readonly allowsHttp: boolean;
    /** Addresses and networks that they may be sent to although they are not on the internet. */
    readonly allowedNetworks: readonly string[];
  };
  /** Concurrent downloads by routers; of small files five times as many. */
  readonly rolloutDownloads: number;
  /** Tunnels to routers' shells and web pages. */
  readonly tunnels: {
    /** Address of this process for routers and users, when several share `publicUrl`; none = `publicUrl`. */
    readonly url?: string;
    /** Parent domain of web pages; none = they cannot be opened. */
    readonly domain: string | undefined;
    /** Ports for SSH clients; none = any free one. */
    readonly ports: Ports | undefined;
  };
  readonly firmware: {
    /** Maximum image size. */
    readonly maxBytes: number;
    /** Ed25519 keys whose image signatures are trusted. None = only unsigned images for other makers' routers are accepted. */
    readonly publicKeys: readonly KeyObject[];
    /** Folder of images, unless they are in a bucket. */
    readonly folder: string;
  };
}

/**
 * Read the settings of one start from the environment and, if HIGHLINE_SETTINGS is set, from a file of NAME=value lines (the
 * environment overrides it). Creates the data folder, and in the demo a master key inside it.
 * @throws StartupError whose message lists all faults, one line each: the variable, the fault, the remedy
 */
export function readSettings(mode: Mode, environment: Environment): Settings {
  return readWith(mode, environment, () => 'Set it to your own folder.');
}

/** What a command of an operator works on. */
export type CommandData = 'database' | 'files';

/**
 * The settings of a server, for a command that an operator runs. The data folder is created and checked only when what the command
 * works on is in it.
 * @throws StartupError as `readSettings`
 */
export function readCommandSettings(environment: Environment, uses: readonly CommandData[]): Settings {
  return readWith('serve', environment, ({ DATABASE_URL: database, BLOBS_URL: blobs }) => {
    const missing = [
      ...(uses.includes('database') && database === undefined ? ['DATABASE_URL'] : []),
      ...(uses.includes('files') && blobs === undefined ? ['BLOBS_URL'] : []),
    ].join(' and ');
    return missing === ''
      ? undefined
      : `Without ${missing} this command works in the data folder. Set it to the folder of the server.`;
  });
}

/** @param remedyOf what to do when the data folder cannot be used; undefined when none is needed */
function readWith(mode: Mode, environment: Environment, remedyOf: (values: Values) => string | undefined): Settings {
  const file = readSettingsFile(environment);
  const given = withoutEmpty({ ...file, ...withoutEmpty(environment) });
  const { values, faults } = parseEach(given);
  const isGiven = (name: Name) => given[name] !== undefined;
  faults.push(...nameFaults(withoutEmpty(environment), file), ...combinationFaults(mode, values, isGiven));
  const dataDir = resolve(values.HIGHLINE_DATA_DIR ?? '.highline');
  const remedy = remedyOf(values);
  if (remedy !== undefined) {
    const fault = findFolderFault(dataDir) ?? (faults.length === 0 ? makeFolder(dataDir) : undefined);
    if (fault !== undefined) faults.push(`HIGHLINE_DATA_DIR: "${dataDir}" is invalid (${fault}). ${remedy}`);
  }
  if (faults.length > 0) throw new StartupError(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return resolveSettings(mode, values, dataDir);
}

/** The lines of the file named by HIGHLINE_SETTINGS; none without it. */
function readSettingsFile(environment: Environment): Environment {
  const path = environment['HIGHLINE_SETTINGS'];
  return path === undefined || path === '' ? {} : readFile(path);
}

/** Empty counts as left out: Compose files pass variables that were never set. */
function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''));
}

function readFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new StartupError(
      `HIGHLINE_SETTINGS: the file cannot be read (${(error as Error).message}). Name a file of NAME=value lines.`,
    );
  }
}

function parseEach(given: Environment): { values: Values; faults: string[] } {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const text = given[name]?.trim();
    if (text === undefined) continue;
    const parsed = variable.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else
      faults.push(
        `${name}: ${'secret' in variable ? 'its value' : JSON.stringify(text)} is invalid. Set it to ${variable.needs}.`,
      );
  }
  return { values, faults };
}

/** Check without creating it: a start rejected for another setting leaves nothing behind. */
function findFolderFault(dataDir: string): string | undefined {
  for (let at = dataDir; ; at = dirname(at)) {
    try {
      if (!statSync(at).isDirectory()) return `${at} is a file`;
      accessSync(at, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at === dirname(at)) return (error as Error).message;
    }
  }
}

function makeFolder(dataDir: string): string | undefined {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function resolveSettings(mode: Mode, values: Values, dataDir: string): Settings {
  const port = values.PORT ?? 8080;
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CLIENT_CA_FILE: clientCaFile } = values;
  return {
    mode,
    http: {
      host: hostOf(values.HOST ?? (mode === 'demo' ? '127.0.0.1' : '0.0.0.0')),
      port,
      publicUrl: new URL(values.PUBLIC_URL ?? `${certFile === undefined ? 'http' : 'https'}://127.0.0.1:${port}`).origin,
      trustedProxies: values.TRUSTED_PROXIES ?? [],
      ...(certFile === undefined || keyFile === undefined
        ? {}
        : { tls: { certFile, keyFile, ...(clientCaFile === undefined ? {} : { clientCaFile }) } }),
    },
    nodeName: values.HIGHLINE_NODE_NAME ?? hostname(),
    dataDir,
    database: databaseOf(values, dataDir),
    ...(values.BLOBS_URL === undefined ? {} : { bucket: bucketOf(values.BLOBS_URL, values) }),
    ...(values.NATS_URL === undefined ? {} : { nats: natsOf(values.NATS_URL, values) }),
    ...cellsOf(values),
    // A directory seals nothing.
    masterKey: values.HIGHLINE_MASTER_KEY ?? (values.CELLS === undefined ? demoKey(dataDir) : values.CELLS_KEY!),
    ...(values.HIGHLINE_MASTER_KEY_PREVIOUS === undefined ? {} : { previousMasterKey: values.HIGHLINE_MASTER_KEY_PREVIOUS }),
    mail: mailOf(values, dataDir),
    logLevel: values.LOG_LEVEL ?? 'info',
    // On a small machine the demo is slow while it begins.
    slowMs: values.LOG_SLOW_MS ?? (mode === 'demo' ? 0 : 1_000),
    controllerId: values.CONTROLLER_ID ?? 'self::highline',
    expiringDays: values.EXPIRING_DAYS ?? 30,
    ...(values.METRICS_LISTEN === undefined ? {} : { metrics: values.METRICS_LISTEN }),
    routerOfflineSeconds: values.ROUTER_OFFLINE_SECONDS ?? 50,
    balancesRouters: (values.ROUTER_BALANCE ?? 'yes') === 'yes',
    reportSeconds: values.REPORT_SECONDS ?? 60,
    telemetryDays: values.TELEMETRY_DAYS ?? 30,
    positionDays: values.POSITION_DAYS ?? 30,
    usageDays: values.USAGE_DAYS ?? 400,
    ...(values.TELEMETRY_SINK_URL === undefined
      ? {}
      : { telemetrySink: { to: sinkOf(values.TELEMETRY_SINK_URL, values), hours: values.TELEMETRY_SINK_HOURS ?? 24 } }),
    baseMap: baseMapOf(values),
    logRetentionDays: values.LOG_RETENTION_DAYS ?? 730,
    // A carrier has few vehicles in the demo.
    alertStorm: values.ALERT_STORM ?? (mode === 'demo' ? 3 : 10),
    webhooks: {
      logDays: values.WEBHOOK_LOG_DAYS ?? 30,
      allowsHttp: (values.WEBHOOK_HTTP ?? (mode === 'demo' ? 'yes' : 'no')) === 'yes',
      allowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS ?? [],
    },
    rolloutDownloads: values.ROLLOUT_DOWNLOADS ?? 200,
    tunnels: {
      ...(values.TUNNEL_URL === undefined ? {} : { url: new URL(values.TUNNEL_URL).origin }),
      domain: values.TUNNEL_DOMAIN ?? (mode === 'demo' ? 'localhost' : undefined),
      ports: values.TUNNEL_PORTS,
    },
    firmware: {
      maxBytes: (values.FIRMWARE_MAX_MB ?? 256) * 1_048_576,
      publicKeys: values.FIRMWARE_PUBLIC_KEYS ?? [],
      folder: join(dataDir, 'blobs'),
    },
  };
}

/** The name would have two addresses with a server on each, and the second one would know no routers. */
function hostOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

function databaseOf(values: Values, dataDir: string): DatabaseSettings {
  const poolSize = values.DATABASE_POOL_SIZE ?? 16;
  const { DATABASE_URL: url, DATABASE_SERVE_URL: serveUrl, DATABASE_READ_URL: readUrl } = values;
  if (url === undefined) return { kind: 'embedded', folder: join(dataDir, 'postgres'), poolSize };
  return {
    kind: 'external',
    url,
    poolSize,
    ...(values.DATABASE_POOLER === 'transaction' ? { pooled: true } : {}),
    ...(serveUrl === undefined ? {} : { serveUrl }),
    ...(readUrl === undefined ? {} : { replica: { url: readUrl, mostAgeSeconds: values.DATABASE_READ_MAX_AGE_SECONDS ?? 30 } }),
  };
}

function baseMapOf({ MAP_STYLE_URL: style, MAP_ORIGINS: more = [], MAP_TILES: tiles = [] }: Values): Settings['baseMap'] {
  if (style === undefined) return { origins: [], tiles };
  return { style, origins: [...new Set([style.origin, ...more.map((origin) => new URL(origin).origin)])], tiles };
}

function cellsOf({ CELLS: cells, CELLS_KEY: key, DIRECTORY_URL: url, CELL_NAME: cell }: Values): Pick<Settings, 'cells'> {
  if (url === 'none') return { cells: { kind: 'left' } };
  if (key === undefined) return {};
  if (cells !== undefined) return { cells: { kind: 'directory', cells, key } };
  return url === undefined || cell === undefined ? {} : { cells: { kind: 'member', cell, url: new URL(url).origin, key } };
}

function bucketOf(bucket: BucketSettings, { BLOBS_PUBLIC_URL: url }: Values): BucketSettings {
  return url === undefined ? bucket : { ...bucket, publicEndpoint: new URL(url).origin };
}

function natsOf(address: NatsSettings, values: Values): NatsSettings {
  const { NATS_CREDENTIALS_FILE: credentials, NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = values;
  return {
    ...address,
    ...(credentials === undefined ? {} : { credentials }),
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') }),
    ...(certFile === undefined || keyFile === undefined ? {} : { client: natsClientOf(certFile, keyFile) }),
  };
}

function natsClientOf(certFile: string, keyFile: string): NatsClientCertificate {
  const { cert, key } = readTlsFiles({ certFile, keyFile });
  return { cert, key };
}

function sinkOf(sink: SinkSettings, { TELEMETRY_SINK_CA_FILE: caFile }: Values): SinkSettings {
  return caFile === undefined ? sink : { ...sink, ca: readFileSync(caFile, 'utf8') };
}

function mailOf(
  { SMTP_URL: url, MAIL_FROM: from = 'Highline <console@highline.invalid>' }: Values,
  dataDir: string,
): Settings['mail'] {
  return url === undefined || url === 'none'
    ? { kind: 'outbox', folder: join(dataDir, 'outbox'), from }
    : { kind: 'smtp', url, from };
}

/** The demo's own key, generated once; a start that loses the race against another one reads the winner's. */
function demoKey(dataDir: string): KeyObject {
  const path = join(dataDir, 'master-key');
  try {
    writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readKey(readFileSync(path, 'utf8').trim());
  if (key === undefined)
    throw new StartupError(
      `${path} no longer contains a master key. Restore it from a backup, or start again in another folder.`,
    );
  return key;
}
