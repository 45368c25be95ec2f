import { randomBytes, type KeyObject } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { BucketSettings } from './bucket-url.ts';
import { readClientCas, readTlsFiles, type TlsFiles } from './tls-files.ts';
import { nameFaults } from './names.ts';
import {
  isLoopback,
  readKey,
  variables,
  type Environment,
  type LogLevel,
  type Name,
  type Ports,
  type Values,
} from './variables.ts';

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
      readonly poolSize: number;
    };

/** `demo` is `npm start`: sample data on this machine only. `serve` is production. */
export type Mode = 'demo' | 'serve';

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
  /** Absolute; exists, and is private to the user of the server. */
  readonly dataDir: string;
  readonly database: DatabaseSettings;
  /** Firmware images and log checkpoints; none = the data folder. */
  readonly bucket?: BucketSettings;
  /** 32 bytes; other secrets are derived from it or sealed with it. */
  readonly masterKey: KeyObject;
  readonly mail:
    | { readonly kind: 'smtp'; readonly url: string; readonly from: string }
    | { readonly kind: 'outbox'; readonly folder: string; readonly from: string };
  readonly logLevel: LogLevel;
  /** The endpoint id by which routers identify us (TR-369, R-ARC.0). */
  readonly controllerId: string;
  /** A subscription that ends within this many days is expiring. */
  readonly expiringDays: number;
  /** The keep-alive window of routers: one silent for this long counts as offline. */
  readonly routerOfflineSeconds: number;
  /** Listening address of /metrics; none = disabled. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /** Retention of telemetry in days. */
  readonly telemetryDays: number;
  /** Retention of log entries in days. */
  readonly logRetentionDays: number;
  /** Concurrent downloads by routers. */
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
  const file = readSettingsFile(environment);
  const given = withoutEmpty({ ...file, ...withoutEmpty(environment) });
  const { values, faults } = parseEach(given);
  const isGiven = (name: Name) => given[name] !== undefined;
  faults.push(
    ...nameFaults(withoutEmpty(environment), file),
    ...halves(values, isGiven),
    ...(mode === 'demo' ? demoFaults(values) : productionFaults(values, isGiven)),
    ...tlsFaults(values),
    ...tunnelFaults(values),
  );
  const dataDir = resolve(values.HIGHLINE_DATA_DIR ?? '.highline');
  faults.push(...folderFaults(dataDir));
  if (faults.length === 0) faults.push(...makeFolder(dataDir));
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

/** Variables that are valid only together. */
function halves({ SMTP_URL }: Values, isGiven: (name: Name) => boolean): string[] {
  const pairs = [
    ['DATABASE_SERVE_URL', 'DATABASE_URL', 'the database that DATABASE_SERVE_URL serves'],
    ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'the key of that certificate'],
    ['TLS_KEY_FILE', 'TLS_CERT_FILE', 'the certificate of that key'],
    ['TLS_CLIENT_CA_FILE', 'TLS_CERT_FILE', 'the certificate of our own TLS, without which clients present none'],
    ['SMTP_URL', 'MAIL_FROM', 'the sender of the mails'],
  ] as const;
  return pairs
    .filter(([one, other]) => isGiven(one) && !isGiven(other) && !(one === 'SMTP_URL' && SMTP_URL === 'none'))
    .map(([one, other, what]) => `${other}: is missing while ${one} is set. Set it to ${what}, or leave both out.`);
}

function demoFaults({ HOST, PUBLIC_URL }: Values): string[] {
  const faults: string[] = [];
  if (HOST !== undefined && !isLoopback(HOST))
    faults.push(
      `HOST: "${HOST}" can be reached from outside, and the demo's passwords are known. Leave it out, or use npm run serve.`,
    );
  if (PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname))
    faults.push(
      `PUBLIC_URL: "${PUBLIC_URL}" is not this machine, and the demo's passwords are known. Leave it out, or use npm run serve.`,
    );
  return faults;
}

function productionFaults({ PUBLIC_URL }: Values, isGiven: (name: Name) => boolean): string[] {
  const faults = (['PUBLIC_URL', 'HIGHLINE_MASTER_KEY', 'SMTP_URL'] as const)
    .filter((name) => !isGiven(name))
    .map((name) => `${name}: is missing. Set it to ${variables[name].needs}.`);
  if (PUBLIC_URL?.startsWith('http:') === true && !isLoopback(new URL(PUBLIC_URL).hostname))
    faults.push(
      `PUBLIC_URL: "${PUBLIC_URL}" would send passwords unencrypted. Use https, with TLS_CERT_FILE and TLS_KEY_FILE or behind a proxy.`,
    );
  // Otherwise all users behind the proxy would share one address, and a few wrong passwords would lock everyone out.
  if (PUBLIC_URL?.startsWith('https:') === true && !isGiven('TLS_CERT_FILE') && !isGiven('TRUSTED_PROXIES'))
    faults.push(
      'TRUSTED_PROXIES: is missing while PUBLIC_URL is https and TLS_CERT_FILE is not set. Set it to the addresses of the proxy that terminates TLS, or serve TLS here with TLS_CERT_FILE and TLS_KEY_FILE.',
    );
  return faults;
}

function tlsFaults({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CLIENT_CA_FILE: clientCaFile }: Values): string[] {
  const faults: string[] = [];
  if (certFile !== undefined && keyFile !== undefined)
    faults.push(
      ...faultOfFile(
        () => readTlsFiles({ certFile, keyFile }),
        (why) =>
          `TLS_CERT_FILE: it and TLS_KEY_FILE cannot be used together (${why}). Name a certificate and its own key, both PEM.`,
      ),
    );
  if (certFile !== undefined && clientCaFile !== undefined)
    faults.push(
      ...faultOfFile(
        () => readClientCas(readFileSync(clientCaFile, 'utf8')),
        (why) => `TLS_CLIENT_CA_FILE: it cannot be used (${why}). Name a PEM file of certificates of authorities.`,
      ),
    );
  return faults;
}

function faultOfFile(read: () => unknown, sentence: (why: string) => string): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [sentence((error as Error).message)];
  }
}

/** The console must not be on a name of routers' web pages, or it would be handled as one of them and never be reached. */
function tunnelFaults({ PUBLIC_URL, TUNNEL_DOMAIN: domain }: Values): string[] {
  if (PUBLIC_URL === undefined || domain === undefined) return [];
  if (!new URL(PUBLIC_URL).hostname.endsWith(`.${domain}`)) return [];
  return [`TUNNEL_DOMAIN: "${domain}" contains the name of PUBLIC_URL. Set it to ${variables.TUNNEL_DOMAIN.needs}.`];
}

/** Check without creating it: a start rejected for another setting leaves nothing behind. */
function folderFaults(dataDir: string): string[] {
  for (let at = dataDir; ; at = dirname(at)) {
    try {
      if (!statSync(at).isDirectory()) return [folderFault(dataDir, `${at} is a file`)];
      accessSync(at, constants.W_OK | constants.X_OK);
      return [];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at === dirname(at))
        return [folderFault(dataDir, (error as Error).message)];
    }
  }
}

function folderFault(dataDir: string, why: string): string {
  return `HIGHLINE_DATA_DIR: "${dataDir}" is invalid (${why}). Set it to your own folder.`;
}

function makeFolder(dataDir: string): string[] {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return [];
  } catch (error) {
    return [folderFault(dataDir, (error as Error).message)];
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
    dataDir,
    database: databaseOf(values, dataDir),
    ...(values.BLOBS_URL === undefined ? {} : { bucket: values.BLOBS_URL }),
    masterKey: values.HIGHLINE_MASTER_KEY ?? demoKey(dataDir),
    mail: mailOf(values, dataDir),
    logLevel: values.LOG_LEVEL ?? 'info',
    controllerId: values.CONTROLLER_ID ?? 'self::highline',
    expiringDays: values.EXPIRING_DAYS ?? 30,
    ...(values.METRICS_LISTEN === undefined ? {} : { metrics: values.METRICS_LISTEN }),
    routerOfflineSeconds: values.ROUTER_OFFLINE_SECONDS ?? 50,
    telemetryDays: values.TELEMETRY_DAYS ?? 30,
    logRetentionDays: values.LOG_RETENTION_DAYS ?? 730,
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
  const { DATABASE_URL: url, DATABASE_SERVE_URL: serveUrl } = values;
  if (url === undefined) return { kind: 'embedded', folder: join(dataDir, 'postgres'), poolSize };
  return { kind: 'external', url, poolSize, ...(serveUrl === undefined ? {} : { serveUrl }) };
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
