import { createHmac, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandFault } from '../command.ts';

const FORMAT = 1;
const NAME = 'manifest.json';

const hex = z.string().regex(/^[0-9a-f]{64}$/u);
/** A name of PostgreSQL; it is quoted wherever it is used. */
const name = z.string().min(1).max(63);
/** No path: a backup cannot name files outside of its folder. */
const fileName = z.string().regex(/^[\w-][\w.-]{0,199}$/u);
const stored = { bytes: z.int().min(0), sha256: hex };

const contents = z.strictObject({
  format: z.literal(FORMAT),
  /** Version of Highline. */
  version: z.string(),
  postgres: z.string(),
  createdAt: z.iso.datetime(),
  /** The installation's id; null when no bucket was ever used. */
  installation: z.string().nullable(),
  /** Value that shows whether a master key is the right one, and reveals nothing else. */
  masterKeyCheck: z.string(),
  /** Fingerprint of the audit key. */
  auditKey: z.string().nullable(),
  migrations: z.array(z.strictObject({ number: z.int(), name: z.string(), checksum: hex })).min(1),
  tables: z.array(
    z.strictObject({
      name,
      columns: z.array(name).min(1),
      /** For a partition: its table, and its bounds as PostgreSQL prints them. */
      partition: z.strictObject({ of: name, bound: z.string().regex(/^FOR VALUES FROM \([^;]*\) TO \([^;]*\)$/u) }).optional(),
      rows: z.int().min(0),
      file: fileName,
      ...stored,
    }),
  ),
  sequences: z.array(z.strictObject({ name, last: z.string().regex(/^-?\d+$/u), isCalled: z.boolean() })),
  blobs: z.array(z.strictObject(stored)),
  /** Firmware images that the catalogue names and the installation itself lacked. */
  missingBlobs: z.array(hex),
  checkpoints: z.array(z.strictObject({ file: fileName, ...stored })),
});

const manifest = contents.extend({ seal: hex });

/** What a backup contains. It is written last: a folder without it is no backup. */
export type Contents = z.output<typeof contents>;
export type Manifest = z.output<typeof manifest>;
export type BackedUpTable = Contents['tables'][number];

/** Folders of a backup. */
export const foldersOf = (backup: string) => ({
  tables: join(backup, 'tables'),
  blobs: join(backup, 'blobs'),
  checkpoints: join(backup, 'audit'),
  manifest: join(backup, NAME),
});

/** The manifest as text, sealed with the master key: without that key no one can make or change a backup. */
export function writeManifest(written: Contents, masterKey: KeyObject): string {
  return `${JSON.stringify({ ...written, seal: sealOf(written, masterKey) }, undefined, 1)}\n`;
}

/** @throws CommandFault when the folder is no complete backup of a known format */
export async function readManifest(backup: string): Promise<Manifest> {
  const path = foldersOf(backup).manifest;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandFault(`${path} cannot be read, so this backup is not complete: ${(error as Error).message}`, {
      cause: error,
    });
  });
  const parsed = manifest.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CommandFault(
    `${path} is damaged, or of another version of Highline (${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}).`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the manifest is as the installation with this master key wrote it. */
export function isSealed({ seal, ...written }: Manifest, masterKey: KeyObject): boolean {
  return timingSafeEqual(Buffer.from(seal, 'hex'), Buffer.from(sealOf(written, masterKey), 'hex'));
}

/** Parsing keeps the order of the schema, so the same contents are the same text. */
function sealOf(written: Contents, masterKey: KeyObject): string {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'highline backups', 32));
  return createHmac('sha256', key)
    .update(JSON.stringify(contents.parse(written)))
    .digest('hex');
}
