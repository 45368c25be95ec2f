import { randomBytes, type KeyObject } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { BucketSettings } from './bucket-url.ts';
import { combinationFaults, type Mode } from './combinations.ts';
import type { NatsSettings } from './nats-settings.ts';
import type { SinkSettings } from './sink-settings.ts';
import { readTlsFiles } from './tls-files.ts';
import { nameFaults } from './names.ts';
import { readKey, variables, type Environment, type Name, type Values } from './variables.ts';

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
export type Settings = Readonly<ReturnType<typeof resolveSettings>>;

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
  const dataDir = resolve(values.HIGHLINE_DATA_DIR);
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
    if (text === undefined) {
      if ('fallback' in variable) values[name] = variable.fallback;
      continue;
    }
    const parsed = variable.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else
      faults.push(
        `${name}: ${'secret' in variable ? 'its value' : JSON.stringify(text)} is invalid. Set it to ${variable.needs}.`,
      );
  }
  return { values: values as Values, faults };
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

function resolveSettings(mode: Mode, values: Values, dataDir: string) {
  const { PORT: port, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = values;
  const isDemo = mode === 'demo';
  return {
    mode,
    http: {
      host: hostOf(values.HOST ?? (isDemo ? '127.0.0.1' : '0.0.0.0')),
      /** 0 lets the system choose. */
      port,
      /** Scheme, host and port for browsers and routers, without a trailing slash. */
      publicUrl: new URL(values.PUBLIC_URL ?? `${certFile === undefined ? 'http' : 'https'}://127.0.0.1:${port}`).origin,
      /** Addresses, networks or names in the format of fastify's trustProxy; none = headers of proxies are ignored. */
      trustedProxies: values.TRUSTED_PROXIES,
      ...(certFile !== undefined &&
        keyFile !== undefined && { tls: { certFile, keyFile, ...optional({ clientCaFile: values.TLS_CLIENT_CA_FILE }) } }),
    },
    /** What log lines, metrics and messages call this process. */
    nodeName: values.HIGHLINE_NODE_NAME,
    /** Absolute; exists, and is private to the user of the server, but for commands that do not use it. */
    dataDir,
    database: databaseOf(values, dataDir),
    ...optional({
      /** Firmware images and log checkpoints; none = the data folder. */
      bucket: bucketOf(values),
      /** Messages to other processes at the database; none = this is the only one. */
      nats: natsOf(values),
      cells: cellsOf(values),
      /** The key that `masterKey` replaces; none = it replaces none now. */
      previousMasterKey: values.HIGHLINE_MASTER_KEY_PREVIOUS,
      /** Listening address of /metrics; none = disabled. */
      metrics: values.METRICS_LISTEN,
      /** Where readings are copied to, and how many hours they wait for it; none = nowhere. */
      telemetrySink: sinkOf(values),
    }),
    /** 32 bytes; other secrets are derived from it or sealed with it. A directory seals nothing. */
    masterKey: values.HIGHLINE_MASTER_KEY ?? (values.CELLS === undefined ? demoKey(dataDir) : values.CELLS_KEY!),
    mail: mailOf(values, dataDir),
    logLevel: values.LOG_LEVEL,
    /** Calls and statements that take so many milliseconds are logged; 0 = none. On a small machine the demo is slow while it begins. */
    slowMs: values.LOG_SLOW_MS ?? (isDemo ? 0 : 1_000),
    /** The endpoint id by which routers identify us (TR-369, R-ARC.0). */
    controllerId: values.CONTROLLER_ID,
    /** A subscription that ends within this many days is expiring. */
    expiringDays: values.EXPIRING_DAYS,
    /** The keep-alive window of routers: one silent for this long counts as offline. */
    routerOfflineSeconds: values.ROUTER_OFFLINE_SECONDS,
    /** Some routers connect again when this process has more of them than the others. */
    balancesRouters: values.ROUTER_BALANCE,
    /** Seconds between two reports of a router whose group has no interval. */
    reportSeconds: values.REPORT_SECONDS,
    telemetryDays: values.TELEMETRY_DAYS,
    positionDays: values.POSITION_DAYS,
    /** Days that data used per SIM is kept (USE-01). */
    usageDays: values.USAGE_DAYS,
    /** The map of the operator, over the one that is shipped (POS-03). */
    baseMap: baseMapOf(values),
    logRetentionDays: values.LOG_RETENTION_DAYS,
    /** So many alerts of one rule in one message are a storm (ALR-06). A carrier has few vehicles in the demo. */
    alertStorm: values.ALERT_STORM ?? (isDemo ? 3 : 10),
    webhooks: {
      /** Days that their events are kept. */
      logDays: values.WEBHOOK_LOG_DAYS,
      /** Also without TLS. */
      allowsHttp: values.WEBHOOK_HTTP ?? isDemo,
      /** Addresses and networks that they may be sent to although they are not on the internet. */
      allowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS,
    },
    /** Concurrent downloads by routers; of small files five times as many. */
    rolloutDownloads: values.ROLLOUT_DOWNLOADS,
    /** Tunnels to routers' shells and web pages. */
    tunnels: {
      /** Address of this process for routers and users, when several share `publicUrl`; none = `publicUrl`. */
      ...optional({ url: originOf(values.TUNNEL_URL) }),
      /** Parent domain of web pages; none = they cannot be opened. */
      domain: values.TUNNEL_DOMAIN ?? (isDemo ? 'localhost' : undefined),
      /** Ports for SSH clients; none = any free one. */
      ports: values.TUNNEL_PORTS,
    },
    firmware: {
      maxBytes: values.FIRMWARE_MAX_MB * 1_048_576,
      /** Ed25519 keys whose image signatures are trusted. None = only unsigned images for other makers' routers are accepted. */
      publicKeys: values.FIRMWARE_PUBLIC_KEYS,
      /** Folder of images, unless they are in a bucket. */
      folder: join(dataDir, 'blobs'),
    },
  };
}

type Optional<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value. */
function optional<T extends object>(fields: T): Optional<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Optional<T>;
}

function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin;
}

/** The name would have two addresses with a server on each, and the second one would know no routers. */
function hostOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

function databaseOf(values: Values, dataDir: string): DatabaseSettings {
  const { DATABASE_URL: url, DATABASE_READ_URL: readUrl, DATABASE_POOL_SIZE: poolSize } = values;
  if (url === undefined) return { kind: 'embedded', folder: join(dataDir, 'postgres'), poolSize };
  return {
    kind: 'external',
    url,
    poolSize,
    ...optional({
      pooled: values.DATABASE_POOLER === 'transaction' ? true : undefined,
      serveUrl: values.DATABASE_SERVE_URL,
      replica: readUrl === undefined ? undefined : { url: readUrl, mostAgeSeconds: values.DATABASE_READ_MAX_AGE_SECONDS },
    }),
  };
}

function baseMapOf({ MAP_STYLE_URL: style, MAP_ORIGINS: more, MAP_TILES: tiles }: Values) {
  /** Origins that the style may load from, its own included. */
  const origins = style === undefined ? [] : [...new Set([style.origin, ...more.map((each) => new URL(each).origin)])];
  return { ...optional({ style }), origins, tiles };
}

function cellsOf({ CELLS: cells, CELLS_KEY: key, DIRECTORY_URL: url, CELL_NAME: cell }: Values): CellSettings | undefined {
  if (url === 'none') return { kind: 'left' };
  if (key === undefined) return undefined;
  if (cells !== undefined) return { kind: 'directory', cells, key };
  return url === undefined || cell === undefined ? undefined : { kind: 'member', cell, url: new URL(url).origin, key };
}

function bucketOf({ BLOBS_URL: bucket, BLOBS_PUBLIC_URL: url }: Values): BucketSettings | undefined {
  return bucket && { ...bucket, ...optional({ publicEndpoint: originOf(url) }) };
}

function natsOf(values: Values): NatsSettings | undefined {
  const { NATS_URL: address, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = values;
  if (address === undefined) return undefined;
  const files = certFile === undefined || keyFile === undefined ? undefined : readTlsFiles({ certFile, keyFile });
  const client = files && { cert: files.cert, key: files.key };
  return { ...address, ...optional({ credentials: values.NATS_CREDENTIALS_FILE, ca: readText(values.NATS_CA_FILE), client }) };
}

function sinkOf({ TELEMETRY_SINK_URL: sink, TELEMETRY_SINK_CA_FILE: caFile, TELEMETRY_SINK_HOURS: hours }: Values) {
  const to: SinkSettings | undefined = sink && { ...sink, ...optional({ ca: readText(caFile) }) };
  return to && { to, hours };
}

function readText(path: string | undefined): string | undefined {
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

function mailOf({ SMTP_URL: url, MAIL_FROM: from }: Values, dataDir: string) {
  return url === undefined || url === 'none'
    ? ({ kind: 'outbox', folder: join(dataDir, 'outbox'), from } as const)
    : ({ kind: 'smtp', url, from } as const);
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
