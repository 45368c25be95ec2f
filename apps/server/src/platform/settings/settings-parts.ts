import { randomBytes, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BucketSettings } from './bucket-url.ts';
import type { NatsSettings } from './nats-settings.ts';
import { StartupError } from './settings-file.ts';
import type { SinkSettings } from './sink-settings.ts';
import { readTlsFiles } from './tls-files.ts';
import { readKey } from './values.ts';
import type { Values } from './variables.ts';

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

type Optional<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value. */
export function optionalSetting<T extends object>(fields: T): Optional<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Optional<T>;
}

export function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin;
}

export function databaseOf(values: Values, dataDir: string): DatabaseSettings {
  const { DATABASE_URL: url, DATABASE_READ_URL: readUrl, DATABASE_POOL_SIZE: poolSize } = values;
  if (url === undefined) return { kind: 'embedded', folder: join(dataDir, 'postgres'), poolSize };
  return {
    kind: 'external',
    url,
    poolSize,
    ...optionalSetting({
      pooled: values.DATABASE_POOLER === 'transaction' ? true : undefined,
      serveUrl: values.DATABASE_SERVE_URL,
      replica: readUrl === undefined ? undefined : { url: readUrl, mostAgeSeconds: values.DATABASE_READ_MAX_AGE_SECONDS },
    }),
  };
}

export function baseMapOf({ MAP_STYLE_URL: style, MAP_ORIGINS: more, MAP_TILES: tiles }: Values) {
  /** Origins that the style may load from, its own included. */
  const origins = style === undefined ? [] : [...new Set([style.origin, ...more.map((each) => new URL(each).origin)])];
  return { ...optionalSetting({ style }), origins, tiles };
}

export function cellsOf({ CELLS: cells, CELLS_KEY: key, DIRECTORY_URL: url, CELL_NAME: cell }: Values): CellSettings | undefined {
  if (url === 'none') return { kind: 'left' };
  if (key === undefined) return undefined;
  if (cells !== undefined) return { kind: 'directory', cells, key };
  return url === undefined || cell === undefined ? undefined : { kind: 'member', cell, url: new URL(url).origin, key };
}

export function bucketOf({ BLOBS_URL: bucket, BLOBS_PUBLIC_URL: url }: Values): BucketSettings | undefined {
  return bucket && { ...bucket, ...optionalSetting({ publicEndpoint: originOf(url) }) };
}

export function natsOf(values: Values): NatsSettings | undefined {
  const { NATS_URL: address, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = values;
  if (address === undefined) return undefined;
  const files = certFile === undefined || keyFile === undefined ? undefined : readTlsFiles({ certFile, keyFile });
  const client = files && { cert: files.cert, key: files.key };
  return {
    ...address,
    ...optionalSetting({ credentials: values.NATS_CREDENTIALS_FILE, ca: readText(values.NATS_CA_FILE), client }),
  };
}

export function sinkOf({ TELEMETRY_SINK_URL: sink, TELEMETRY_SINK_CA_FILE: caFile, TELEMETRY_SINK_HOURS: hours }: Values) {
  const to: SinkSettings | undefined = sink && { ...sink, ...optionalSetting({ ca: readText(caFile) }) };
  return to && { to, hours };
}

function readText(path: string | undefined): string | undefined {
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

export function mailOf({ SMTP_URL: url, MAIL_FROM: from, MAIL_BOUNCES: bounces }: Values, dataDir: string) {
  const sender = {
    from,
    /** The mailbox that mails are returned to, each to an address of its own; none = they are returned to the sender. */
    ...optionalSetting({ bounces }),
  };
  return url === undefined || url === 'none'
    ? ({ kind: 'outbox', folder: join(dataDir, 'outbox'), ...sender } as const)
    : ({ kind: 'smtp', url, ...sender } as const);
}

/** The demo's own key, generated once; a start that loses the race against another one reads the winner's. */
export function demoKey(dataDir: string): KeyObject {
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
