import { createHash, sign, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, type AuditEntryContent } from './audit.ts';

// A log as a self-verifying file: a header, one entry per line, and an end that signs every byte before it. Each line is
// canonical JSON, so that no two different files mean the same.

const PURPOSE = 'highline audit export, version 1\0';
/** The hash before the first entry of a log. */
export const NOTHING = '0'.repeat(64);
export const hex = z.string().regex(/^[0-9a-f]{64}$/u);

/** Ed25519 in base64, in its one canonical encoding: the last character has spare bits that decoders ignore. */
const signature = z.string().refine((text) => Buffer.from(text, 'base64').toString('base64') === text);

export const header = z.strictObject({
  kind: z.literal('highline-audit'),
  version: z.literal(1),
  chain: z.string(),
  /** The hash before the first entry; zeros if it is the first of all. */
  previous: hex,
  /** ISO 8601. */
  exported: z.string(),
  /** The entries removed by retention before the first one, with the signature of that cut; missing = none. */
  cut: z.strictObject({ seq: z.int().positive(), hash: hex, at: z.string(), signature: z.string() }).optional(),
});
export type Header = z.infer<typeof header>;

export const end = z.strictObject({
  kind: z.literal('end'),
  entries: z.int().nonnegative(),
  lastSeq: z.int().nonnegative(),
  lastHash: hex,
  signature,
});

export type AuditExportEntry = Omit<AuditEntryContent, 'chainId'> & { readonly previous: string; readonly hash: string };

/** The file, piece by piece. @param privateKey Ed25519 */
export async function* writeAuditExport(
  about: Pick<Header, 'chain' | 'exported' | 'cut'>,
  entries: AsyncIterable<AuditExportEntry>,
  privateKey: KeyObject,
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  let begun = false;
  const start = { seq: about.cut?.seq ?? 0, hash: about.cut?.hash ?? NOTHING };
  let last = start;
  let count = 0;
  let pending = '';
  const add = (line: unknown) => {
    const text = `${canonicalJson(line)}\n`;
    digest.update(text);
    pending += text;
  };
  const begin = (previous: string) => {
    begun = true;
    add({ kind: 'highline-audit', version: 1, ...about, previous } satisfies Header);
  };
  for await (const each of entries) {
    if (!begun) begin(each.previous);
    add({ kind: 'entry', ...each });
    last = { seq: each.seq, hash: each.hash };
    count += 1;
    if (pending.length < 32_768) continue;
    yield pending;
    pending = '';
  }
  if (!begun) begin(start.hash);
  const closing = { kind: 'end', entries: count, lastSeq: last.seq, lastHash: last.hash } as const;
  const signed = sign(null, signedBytes(digest.digest(), closing), privateKey).toString('base64');
  yield `${pending}${canonicalJson({ ...closing, signature: signed })}\n`;
}

export function signedBytes(digest: Buffer, closing: Omit<z.infer<typeof end>, 'signature'>): Buffer {
  return Buffer.concat([Buffer.from(PURPOSE), digest, Buffer.from(canonicalJson(closing))]);
}

/** The fault of a file, as a sentence that names the entry. */
export class AuditExportFault extends Error {}

export interface AuditExport {
  readonly chain: string;
  readonly entries: number;
  readonly lastSeq: number;
  /** The last retention cut: up to which entry, and when (ISO 8601). */
  readonly cut?: { readonly seq: number; readonly at: string };
}

/** The checkpoint of a chain. */
export interface Known {
  readonly seq: number;
  readonly hash: string;
}
