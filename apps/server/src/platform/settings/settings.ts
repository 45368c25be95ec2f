import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { combinationFaults, type Mode } from './combinations.ts';
import { nameFaults } from './names.ts';
import { readSettingsFile, withoutEmpty, parseEach, StartupError } from './settings-file.ts';
import {
  databaseOf,
  baseMapOf,
  cellsOf,
  bucketOf,
  natsOf,
  sinkOf,
  mailOf,
  demoKey,
  optionalSetting,
  originOf,
} from './settings-parts.ts';
import type { Environment, Name, Values } from './variables.ts';

/** All validated settings of a process. */
export type Settings = Readonly<ReturnType<typeof resolveSettings>>;

/**
 * Read the settings of one start from the environment and, if HIGHLINE_SETTINGS is set, from a file of NAME=value lines (the
 * environment overrides it). Creates the data folder, and in the demo a master key inside it.
 * @throws StartupError whose message lists all faults, one line each: the variable, the fault, the remedy
 */
export function readSettings(mode: Mode, environment: Environment): Settings {
  return readWith(mode, environment, () => ({ text: 'Set it to your own folder.', isRequired: false }));
}

/** What a command of an operator works on. */
export type CommandData = 'database' | 'files';

/**
 * The settings of a server, for a command that an operator runs. The data folder is created and checked only when what the command
 * works on is in it; it has to be named then, since the folder of a server does not depend on where the command is run.
 * @throws StartupError as `readSettings`
 */
export function readCommandSettings(environment: Environment, uses: readonly CommandData[]): Settings {
  return readWith('serve', environment, ({ DATABASE_URL: database, BLOBS_URL: blobs }) => {
    const missing = [
      ...(uses.includes('database') && database === undefined ? ['DATABASE_URL'] : []),
      ...(uses.includes('files') && blobs === undefined ? ['BLOBS_URL'] : []),
    ].join(' and ');
    const text = `Without ${missing} this command works in the data folder. Set it to the folder of the server.`;
    return missing === '' ? undefined : { text, isRequired: true };
  });
}

/** What to do when the data folder cannot be used, and whether a folder that is left out is a fault. */
interface FolderRemedy {
  readonly text: string;
  readonly isRequired: boolean;
}

/** @param remedyOf undefined when no data folder is needed */
function readWith(mode: Mode, environment: Environment, remedyOf: (values: Values) => FolderRemedy | undefined): Settings {
  const file = readSettingsFile(environment);
  const given = withoutEmpty({ ...file, ...withoutEmpty(environment) });
  const { values, faults } = parseEach(given);
  const isGiven = (name: Name) => given[name] !== undefined;
  faults.push(...nameFaults(withoutEmpty(environment), file), ...combinationFaults(mode, values, isGiven));
  const dataDir = resolve(values.HIGHLINE_DATA_DIR);
  const remedy = remedyOf(values);
  if (remedy?.isRequired === true && !isGiven('HIGHLINE_DATA_DIR')) faults.push(`HIGHLINE_DATA_DIR: missing. ${remedy.text}`);
  else if (remedy !== undefined) {
    const fault = findFolderFault(dataDir) ?? (faults.length === 0 ? makeFolder(dataDir) : undefined);
    if (fault !== undefined) faults.push(`HIGHLINE_DATA_DIR: "${dataDir}" is invalid (${fault}). ${remedy.text}`);
  }
  if (faults.length > 0) throw new StartupError(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return resolveSettings(mode, values, dataDir);
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
        keyFile !== undefined && { tls: { certFile, keyFile, ...optionalSetting({ clientCaFile: values.TLS_CLIENT_CA_FILE }) } }),
    },
    /** What log lines, metrics and messages call this process. */
    nodeName: values.HIGHLINE_NODE_NAME,
    /** Absolute; exists, and is private to the user of the server, but for commands that do not use it. */
    dataDir,
    database: databaseOf(values, dataDir),
    ...optionalSetting({
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
      ...optionalSetting({ url: originOf(values.TUNNEL_URL) }),
      /** Parent domain of web pages; none = they cannot be opened. */
      domain: values.TUNNEL_DOMAIN ?? (isDemo ? 'localhost' : undefined),
      /** Ports for SSH clients; left out, any free one. */
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

/** The name of an installation for those who watch several: that of the cell, else the host of the console. */
export function nameInstallation({ cells, http }: Pick<Settings, 'cells' | 'http'>): string {
  return cells?.kind === 'member' ? cells.cell : new URL(http.publicUrl).host;
}

/** The name would have two addresses with a server on each, and the second one would know no routers. */
function hostOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}
