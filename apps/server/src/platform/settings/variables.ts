import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { parseEndpointId } from '@highline/usp';
import { z } from 'zod';
import { readMapStyle, readMapTiles, SHIPPED_STREETS } from './base-map.ts';
import { readBucketUrl } from './bucket-url.ts';
import { readNatsCredentials, readNatsUrl } from './nats-settings.ts';
import { readSinkUrl } from './sink-settings.ts';
import {
  readKey,
  readCells,
  readPublicKeys,
  readPorts,
  readListen,
  isProxy,
  isNetwork,
  isOrigin,
  splitList,
  canRead,
  CELL,
  isHost,
} from './values.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MOST_ORIGINS = 20;

/** A whole number of something, with the value that it has when it is left out. */
function numberOf(unit: string, least: number, most: number, fallback: number, more = '') {
  return {
    schema: whole(least, most),
    needs: `a number of ${unit} from ${least} to ${most}${more} (left out: ${fallback})`,
    fallback,
  };
}

function whole(least: number, most: number) {
  return z
    .string()
    .regex(/^\d+$/u)
    .transform(Number)
    .refine((value) => value >= least && value <= most);
}

/** What `read` makes of a text; undefined = the text is invalid. */
function parsed<T>(read: (text: string) => T | undefined) {
  return z
    .string()
    .transform(read)
    .refine((value) => value !== undefined);
}

function listOf(isValid: (part: string) => boolean, most = Number.POSITIVE_INFINITY) {
  return z
    .string()
    .transform(splitList)
    .refine((list) => list.length <= most && list.every(isValid));
}

function urlOf(protocols: readonly string[]) {
  return z
    .string()
    .refine((text) => protocols.some((protocol) => text.startsWith(`${protocol}//`) && text.length > protocol.length + 2));
}

const file = z.string().refine(canRead);
const origin = z.string().refine(isOrigin);
const postgresUrl = urlOf(['postgres:', 'postgresql:']);
const yesOrNo = z.enum(['yes', 'no']).transform((text) => text === 'yes');

/**
 * Each variable: its format, a description of it, and its value when it is left out, unless that depends on others. A secret value
 * is never repeated in a fault.
 */
export const variables = {
  PORT: { schema: whole(0, 65_535), needs: 'a port from 0 to 65535 (left out: 8080)', fallback: 8080 },
  HOST: { schema: z.string().refine(isHost), needs: 'an address to listen on, such as 0.0.0.0' },
  METRICS_LISTEN: {
    schema: parsed(readListen),
    needs: 'an address and a port for Prometheus, such as 127.0.0.1:9464 (left out: none)',
  },
  PUBLIC_URL: {
    schema: origin,
    needs: 'the address of the console, such as https://fleet.example.com, without a path',
  },
  HIGHLINE_NODE_NAME: {
    schema: z.string().regex(/^[\w.-]{1,100}$/u),
    needs: 'at most 100 letters, digits, dots, hyphens and underscores (left out: the name of the machine)',
    fallback: hostname(),
  },
  HIGHLINE_DATA_DIR: { schema: z.string(), needs: 'a folder (left out: .highline)', fallback: '.highline' },
  DATABASE_URL: { schema: postgresUrl, needs: 'postgresql://user:password@host/database', secret: true },
  DATABASE_SERVE_URL: {
    schema: postgresUrl,
    needs: 'postgresql://user:password@host/database',
    secret: true,
  },
  DATABASE_READ_URL: {
    schema: postgresUrl,
    needs: 'a streaming replica for lists and reports, postgresql://user:password@host/database (left out: the primary)',
    secret: true,
  },
  DATABASE_READ_MAX_AGE_SECONDS: numberOf('seconds', 1, 3600, 30, ' that a replica may be behind'),
  DATABASE_POOLER: {
    schema: z.enum(['none', 'transaction']),
    needs: 'transaction while DATABASE_SERVE_URL leads to PgBouncer in that mode (left out: none)',
  },
  BLOBS_URL: {
    schema: parsed(readBucketUrl),
    needs:
      'a bucket of an S3-compatible store, https://<key id>:<secret>@<host>/<bucket>, with the secret percent-encoded (left out: the data folder)',
    secret: true,
  },
  BLOBS_PUBLIC_URL: {
    schema: origin,
    needs:
      'the address at which routers reach the store of BLOBS_URL, such as https://s3.example.com, without a path (left out: they download through this server)',
  },
  NATS_URL: {
    schema: parsed(readNatsUrl),
    needs:
      'NATS, which connects several processes: nats://<user>:<password>@<host>, or tls://…; several servers with commas, all with the same scheme and user; user and password percent-encoded (left out: this is the only process)',
    secret: true,
  },
  NATS_CREDENTIALS_FILE: {
    schema: parsed(readNatsCredentials),
    needs: 'a file with the NKey seed of a user, or with its JWT and seed as nsc writes them',
  },
  NATS_CERT_FILE: { schema: file, needs: 'a PEM file with the certificate by which NATS identifies this process' },
  NATS_KEY_FILE: { schema: file, needs: 'a PEM file with the key of NATS_CERT_FILE' },
  NATS_CA_FILE: { schema: file, needs: 'a PEM file of the authorities that sign the certificates of NATS' },
  CELLS: {
    schema: parsed(readCells),
    needs:
      'on a directory: its cells with their addresses, such as eu-1=https://eu-1.example.com,us-1=https://us-1.example.com (left out: this is no directory)',
  },
  CELLS_KEY: {
    schema: parsed(readKey),
    needs: '32 random bytes as base64 or hex, the same on a directory and all its cells; `openssl rand -base64 32` prints some',
    secret: true,
  },
  DIRECTORY_URL: {
    schema: z.union([z.literal('none'), origin]),
    needs:
      'on a cell: the address of its directory, such as https://fleet.example.com, without a path; none to leave it (left out: no cell)',
  },
  CELL_NAME: {
    schema: z.string().regex(CELL),
    needs: 'on a cell: its name in CELLS of the directory, lower-case letters, digits and hyphens',
  },
  TELEMETRY_SINK_URL: {
    schema: parsed(readSinkUrl),
    needs:
      'where readings are copied to: https://<user>:<password>@<host>/<path>, or a subject of a JetStream stream, nats://<user>:<password>@<host>/<subject> or tls://…; user and password percent-encoded (left out: nowhere)',
    secret: true,
  },
  TELEMETRY_SINK_CA_FILE: { schema: file, needs: 'a PEM file of the authorities that sign the certificate of the sink' },
  TELEMETRY_SINK_HOURS: numberOf('hours', 1, 168, 24, ' that readings wait for a sink that does not take them'),
  DATABASE_POOL_SIZE: numberOf('connections', 2, 500, 16),
  HIGHLINE_MASTER_KEY: {
    schema: parsed(readKey),
    needs: '32 random bytes as base64 or hex; `openssl rand -base64 32` prints some',
    secret: true,
  },
  HIGHLINE_MASTER_KEY_PREVIOUS: {
    schema: parsed(readKey),
    needs: 'the master key that HIGHLINE_MASTER_KEY replaces, until the rotation has ended (left out: none)',
    secret: true,
  },
  SMTP_URL: {
    schema: z.union([z.literal('none'), urlOf(['smtp:', 'smtps:'])]),
    needs: 'smtps://user:password@host, or none to keep mails in a folder',
    secret: true,
  },
  MAIL_FROM: {
    schema: z
      .string()
      .max(320)
      .regex(/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/u),
    needs: 'a sender such as Highline <console@example.com>',
    fallback: 'Highline <console@highline.invalid>',
  },
  MAIL_BOUNCES: {
    // Before the @ an address has at most 64 characters, and 42 are added for each mail.
    schema: z.string().regex(/^[\w.-]{1,22}@[\w-]+(?:\.[\w-]+)+$/u),
    needs:
      'an address such as bounces@example.com, at most 22 characters before the @, whose mails reach `highline mail bounce` (left out: mails are returned to the sender)',
  },
  TRUSTED_PROXIES: {
    schema: listOf(isProxy),
    needs: 'addresses or networks separated by commas, such as 10.0.0.0/8, or loopback',
    fallback: [],
  },
  TLS_CERT_FILE: { schema: file, needs: 'a PEM file that can be read' },
  TLS_KEY_FILE: { schema: file, needs: 'a PEM file that can be read' },
  TLS_CLIENT_CA_FILE: { schema: file, needs: 'a PEM file of authorities that sign client certificates of routers' },
  LOG_LEVEL: { schema: z.enum(LOG_LEVELS), needs: `one of ${LOG_LEVELS.join(', ')} (left out: info)`, fallback: 'info' },
  CONTROLLER_ID: {
    schema: z.string().refine((id) => parseEndpointId(id) !== undefined),
    needs: 'a TR-369 endpoint id (left out: self::highline)',
    fallback: 'self::highline',
  },
  EXPIRING_DAYS: numberOf('days', 1, 365, 30),
  ROUTER_OFFLINE_SECONDS: numberOf('seconds', 2, 3600, 50),
  REPORT_SECONDS: numberOf('seconds', 10, 86_400, 60),
  TELEMETRY_DAYS: numberOf('days', 1, 3650, 30),
  USAGE_DAYS: numberOf('days', 62, 3650, 400),
  POSITION_DAYS: numberOf('days', 1, 3650, 30),
  MAP_STYLE_URL: {
    schema: parsed(readMapStyle),
    needs: 'the address of a MapLibre style, such as https://maps.example.com/style.json (left out: the map that is shipped)',
  },
  MAP_ORIGINS: {
    schema: listOf(isOrigin, MOST_ORIGINS),
    needs:
      'further origins that the style of MAP_STYLE_URL takes tiles, glyphs or sprites from, at most 20, separated by commas, such as https://tiles.example.com (left out: only its own)',
    fallback: [],
  },
  MAP_TILES: {
    schema: parsed(readMapTiles),
    needs:
      'a PMTiles file (version 3), or a folder with one to eight files *.pmtiles (left out: the main streets of a few cities)',
    fallback: [SHIPPED_STREETS],
  },
  LOG_RETENTION_DAYS: numberOf('days', 30, 36_500, 730),
  ALERT_STORM: { schema: whole(2, 10_000), needs: 'a number of alerts from 2 to 10000 (left out: 10)' },
  WEBHOOK_LOG_DAYS: numberOf('days', 4, 365, 30),
  LOG_SLOW_MS: {
    schema: whole(0, 600_000),
    needs: 'a number of milliseconds above which a call or a statement is logged, 0 for none (left out: 1000)',
  },
  ROUTER_BALANCE: {
    schema: yesOrNo,
    needs: 'yes to let routers connect again when this process has more of them than the others, or no (left out: yes)',
    fallback: true,
  },
  WEBHOOK_HTTP: { schema: yesOrNo, needs: 'yes to allow webhooks without TLS, or no (left out: no)' },
  WEBHOOK_ALLOWED_NETWORKS: {
    schema: listOf(isNetwork),
    needs: 'own addresses or networks that webhooks may be sent to, separated by commas, such as 10.20.0.0/16 (left out: none)',
    fallback: [],
  },
  ROLLOUT_DOWNLOADS: numberOf('downloads', 1, 100_000, 200),
  TUNNEL_URL: {
    schema: origin,
    needs: 'the address of this process, such as https://node-1.example.com, without a path (left out: PUBLIC_URL)',
  },
  TUNNEL_DOMAIN: {
    schema: z
      .string()
      .toLowerCase()
      .regex(/^(?=.{1,200}$)(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*[a-z\d](?:[a-z\d-]*[a-z\d])?$/u)
      .refine((name) => isIP(name) === 0),
    needs: 'a domain whose names all resolve to this server, such as remote.example.net, without a port',
  },
  TUNNEL_PORTS: {
    schema: z.literal('none').or(
      z
        .string()
        .regex(/^\d{1,5}-\d{1,5}$/u)
        .transform(readPorts)
        .refine(({ first, last }) => first >= 1 && first <= last && last <= 65_535 && last - first < 10_000),
    ),
    needs: 'a range of up to 10000 ports such as 20000-20099, or none (left out: any free port)',
  },
  FIRMWARE_MAX_MB: numberOf('MB', 1, 4_096, 256),
  FIRMWARE_PUBLIC_KEYS: {
    schema: parsed(readPublicKeys),
    needs: 'PEM files with Ed25519 public keys, separated by commas; `npm run highline -- firmware keygen` makes a pair',
    fallback: [],
  },
} as const satisfies Record<string, { schema: z.ZodType; needs: string; secret?: true; fallback?: unknown }>;

export type Name = keyof typeof variables;
type Output<K extends Name> = z.output<(typeof variables)[K]['schema']>;
export type Values = {
  readonly [K in Name]: Exclude<Output<K>, undefined> | ((typeof variables)[K] extends { fallback: unknown } ? never : undefined);
};
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the host is always this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/u.test(host);
}
