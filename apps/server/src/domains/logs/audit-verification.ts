import { createHash, verify, type KeyObject } from 'node:crypto';
import { logs } from '@highline/contract';
import { z } from 'zod';
import {
  NOTHING,
  hex,
  header,
  type Header,
  end,
  signedBytes,
  AuditExportFault,
  type AuditExport,
  type Known,
} from './audit-export.ts';
import { canonicalJson, hashEntry, type AuditEntryContent } from './audit.ts';
import { isGenuineCut } from './signatures.ts';

const entry = z.strictObject({
  kind: z.literal('entry'),
  seq: z.int().positive(),
  at: z.string(),
  actorId: z.string().nullable(),
  actorEmail: z.string(),
  actorRole: z.string(),
  /** Missing = no API key. */
  actorKey: z.string().optional(),
  /** Missing = no one. */
  actorWith: z.array(z.strictObject({ as: z.enum(['approval', 'support', 'guest']), email: z.string() })).optional(),
  address: z.string(),
  action: z.string(),
  /** Missing = of a version that stored the text alone. */
  sentence: logs.logSentence.optional(),
  subjectKind: z.string(),
  subjectId: z.string(),
  detail: z.unknown(),
  previous: hex,
  hash: hex,
});

/**
 * Read a file to its end and check every byte of it, with constant memory.
 * @param publicKeys each signature must be by one of them
 * @param known hashes from signed checkpoints of this chain, by chain
 * @throws AuditExportFault that names the first entry that was changed, is missing, moved or cut off
 */
export async function verifyAuditExport(
  bytes: AsyncIterable<Buffer>,
  publicKeys: readonly KeyObject[],
  known: (chain: string) => readonly Known[],
): Promise<AuditExport> {
  const reading = new Reading(known, publicKeys);
  const digest = createHash('sha256');
  let closing: Buffer | undefined;
  for await (const line of linesOf(bytes)) {
    if (closing !== undefined) {
      digest.update(closing).update('\n');
      reading.take(closing);
    }
    closing = line;
  }
  return reading.end(closing ?? Buffer.alloc(0), (record) => {
    const { signature: signed, ...rest } = record;
    const covered = signedBytes(digest.digest(), rest);
    return publicKeys.some((key) => verify(null, covered, key, Buffer.from(signed, 'base64')));
  });
}

class Reading {
  readonly #known: (chain: string) => readonly Known[];
  readonly #publicKeys: readonly KeyObject[];
  #header: Header | undefined;
  #checkpoints = new Map<number, readonly Known[]>();
  #last = { seq: 0, hash: NOTHING };
  #count = 0;
  /** An entry is not in its place; whether it comes later distinguishes a missing from a moved one. */
  #gap: { expected: number; found: number } | undefined;

  constructor(known: (chain: string) => readonly Known[], publicKeys: readonly KeyObject[]) {
    this.#known = known;
    this.#publicKeys = publicKeys;
  }

  take(line: Buffer): void {
    if (this.#header === undefined) this.#begin(line);
    else this.#entry(this.#header, line);
  }

  #begin(line: Buffer): void {
    const record = parse(header, line);
    if (record === undefined) throw new AuditExportFault('The file is not an exported log.');
    this.#header = record;
    this.#checkpoints = Map.groupBy(this.#known(record.chain), ({ seq }) => seq);
    if (record.cut !== undefined) this.#last = this.#cutOf(record.chain, record.cut);
    if (record.previous !== this.#last.hash)
      throw new AuditExportFault(`The file does not begin after entry ${this.#last.seq}: entries before its first were removed.`);
  }

  /** The position where the log begins after retention removed older entries. */
  #cutOf(chain: string, cut: NonNullable<Header['cut']>): { seq: number; hash: string } {
    if (!this.#publicKeys.some((key) => isGenuineCut({ chain, ...cut }, key)))
      throw new AuditExportFault(
        `Entries up to ${cut.seq} were removed, but not by retention: the signature of the removal does not match this key.`,
      );
    this.#compare(cut);
    return { seq: cut.seq, hash: cut.hash };
  }

  #compare({ seq, hash }: Known): void {
    // Any of them: a server also signs a log that was rewritten.
    if (this.#checkpoints.get(seq)?.some((checkpoint) => checkpoint.hash !== hash))
      throw new AuditExportFault(`Entry ${seq} does not match its checkpoint: the log was rewritten.`);
  }

  #entry({ chain }: Header, line: Buffer): void {
    this.#count += 1;
    const { seq: before, hash: follows } = this.#last;
    const record = parse(entry, line);
    if (record === undefined) {
      const location = this.#gap === undefined ? `entry ${before + 1}, after entry ${before}` : `after entry ${before}`;
      throw new AuditExportFault(`Line ${this.#count + 1} was changed (${location}): it is not a valid entry any more.`);
    }
    const { kind: _, previous, hash, ...content } = record;
    // A moved entry has a valid hash; an invalid one was changed, perhaps in its number, so its position is the better
    // indication.
    if (hashOf(chain, content, previous) !== hash)
      throw new AuditExportFault(`Entry ${this.#gap === undefined ? before + 1 : record.seq} was changed.`);
    if (this.#gap !== undefined) return this.#searchGap(record.seq, this.#gap);
    if (record.seq <= before)
      throw new AuditExportFault(`Entry ${record.seq} is in the wrong place or duplicated: entries were reordered.`);
    if (record.seq > before + 1) {
      this.#gap = { expected: before + 1, found: record.seq };
      return;
    }
    if (previous !== follows) {
      const which = before === 0 ? 'Entry 1 was changed' : `Entry ${before} or ${record.seq} was changed`;
      throw new AuditExportFault(`${which}: they do not follow one on the other.`);
    }
    this.#compare(record);
    this.#last = { seq: record.seq, hash };
  }

  #searchGap(seq: number, gap: { expected: number; found: number }): void {
    if (seq === gap.expected) throw new AuditExportFault(`Entry ${gap.expected} is in the wrong place: entries were reordered.`);
  }

  end(line: Buffer, isSigned: (record: z.infer<typeof end>) => boolean): AuditExport {
    const last = this.#last;
    if (this.#gap !== undefined) throw new AuditExportFault(missing(this.#gap));
    const record = parse(end, line);
    if (record === undefined)
      throw new AuditExportFault(`The file was cut off or changed after entry ${last.seq}: its end is missing.`);
    const newest = Math.max(0, ...this.#checkpoints.keys());
    if (record.lastSeq !== last.seq || record.entries !== this.#count || newest > last.seq)
      throw new AuditExportFault(`Entries after ${last.seq} were cut off: entry ${Math.max(record.lastSeq, newest)} is known.`);
    if (this.#header === undefined || !isSigned(record))
      throw new AuditExportFault('The signature does not match: the file was changed, or made with another key.');
    const { chain, cut } = this.#header;
    return {
      chain,
      entries: this.#count,
      lastSeq: last.seq,
      ...(cut === undefined ? {} : { cut: { seq: cut.seq, at: cut.at } }),
    };
  }
}

function missing({ expected, found }: { expected: number; found: number }): string {
  return found - expected === 1 ? `Entry ${expected} is missing.` : `Entries ${expected} to ${found - 1} are missing.`;
}

function hashOf(chainId: string, content: Omit<AuditEntryContent, 'chainId'>, previous: string): string {
  return hashEntry(Buffer.from(previous, 'hex'), { chainId, ...content }).toString('hex');
}

/** A line that matches a schema exactly, byte for byte; undefined for anything else. */
function parse<T>(schema: z.ZodType<T>, line: Buffer): T | undefined {
  try {
    const value = schema.parse(JSON.parse(line.toString('utf8')));
    return Buffer.from(canonicalJson(value)).equals(line) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([rest, chunk.subarray(from, at)]);
      rest = Buffer.alloc(0);
      from = at + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
  }
  // A file without a line break at its end was cut off there: with one more it is still no line that we wrote.
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.from('\n')]);
}
