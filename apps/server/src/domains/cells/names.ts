import { createHash, createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { tidyEmail } from '@highline/contract';
import { z } from 'zod';

/** What a directory knows of a cell: e-mail addresses of people, and identities and secrets of routers. */
export const NAME_KINDS = ['email', 'serial', 'mac', 'endpoint', 'secret'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** A name of a cell; of a secret, the SHA-256 in hex. */
export interface CellName {
  readonly kind: NameKind;
  readonly name: string;
}

/** A name as it leaves the cell: with a keyed hash, base64url. */
export const hashedNameSchema = z.strictObject({
  kind: z.enum(NAME_KINDS),
  hash: z.string().regex(/^[\w-]{43}$/u),
});
export type HashedName = z.output<typeof hashedNameSchema>;

/** Most names of one message. */
export const MOST_NAMES = 1_000;

const names = z.array(hashedNameSchema).max(MOST_NAMES);

/** Messages of a cell to its directory, and the responses. */
export const directoryMessages = {
  /** Claim names for a transaction that is about to commit: all of them, or none when others have some. */
  claim: { body: z.strictObject({ names }), response: z.object({ taken: z.array(hashedNameSchema) }) },
  /** Add and remove names of committed transactions. */
  update: {
    body: z.strictObject({ add: names, remove: names }),
    response: z.object({ taken: z.array(hashedNameSchema) }),
  },
  /** The beginning of a pass over all names; the response is the time of the directory. */
  begin: { body: z.strictObject({}), response: z.object({ at: z.string() }) },
  /** The end of that pass: drop names that were not sent since it began. */
  end: { body: z.strictObject({ began: z.iso.datetime() }), response: z.object({ dropped: z.number() }) },
} as const;
export type DirectoryMessage = keyof typeof directoryMessages;

/** What cells and their directory derive from CELLS_KEY. */
export interface CellKeys {
  /** The keyed hash of a name, base64url. */
  hash(name: CellName): HashedName;
  /** The bearer by which a cell identifies itself. */
  bearerOf(cell: string): string;
}

export function createCellKeys(key: KeyObject): CellKeys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `highline ${purpose} 1`, 32));
  const [nameKey, cellKey] = [derive('directory names'), derive('directory cells')];
  return {
    hash: ({ kind, name }) => ({ kind, hash: createHmac('sha256', nameKey).update(`${kind}\0${name}`).digest('base64url') }),
    bearerOf: (cell) => createHmac('sha256', cellKey).update(cell).digest('base64url'),
  };
}

/** The name of a router's secret. */
export const secretName = (secret: string): CellName => ({
  kind: 'secret',
  name: createHash('sha256').update(secret).digest('hex'),
});

/** The name of an e-mail address as a person types it. */
export const emailName = (email: string): CellName => ({ kind: 'email', name: tidyEmail(email) });
