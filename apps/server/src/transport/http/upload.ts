import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';
import type { UploadedFile, UploadLimit } from '../../platform/calls/call.ts';
import { SPOOLED_RESPONSE } from './spool.ts';

/** A multipart body, completely read. */
export interface Upload {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: UploadedFile | undefined;
  /** Delete the spooled file. */
  discard(): Promise<void>;
}

const SPOOL_PREFIX = 'upload-';
/** Name prefixes of files that no process uses again after a crash. */
const SPOOLED = [SPOOL_PREFIX, SPOOLED_RESPONSE];
/** Longer than any upload takes. */
const ABANDONED_MS = 24 * 3_600_000;

/**
 * Delete files that earlier processes left in this folder; at start, before calls are accepted. One process at a time uses a data
 * folder.
 */
export async function sweepAtStart(spoolFolder: string): Promise<void> {
  const names = await readdir(spoolFolder).catch(() => []);
  for (const name of names.filter((one) => SPOOLED.some((prefix) => one.startsWith(prefix))))
    await rm(join(spoolFolder, name), { recursive: true, force: true });
}

/** Delete uploads whose call never ended. */
export async function sweepUploads(spoolFolder: string, now: Date): Promise<void> {
  const names = await readdir(spoolFolder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(SPOOL_PREFIX))) {
    const found = await stat(join(spoolFolder, name)).catch(() => undefined);
    if (found !== undefined && now.getTime() - found.mtimeMs > ABANDONED_MS)
      await rm(join(spoolFolder, name), { recursive: true, force: true });
  }
}

/** Allowance for text fields and form boundaries in addition to a file. */
const FORM_BYTES = 2 * 1_048_576;

/**
 * Read a multipart body: text fields into memory (at most 64 kB each), one file onto disk, never into memory.
 * @param spoolFolder folder of the file until the call ends
 * @throws DomainError the limit's key, `request.unsupported_media_type`, `request.invalid`
 */
export async function readUpload(request: FastifyRequest, limit: UploadLimit, spoolFolder: string): Promise<Upload> {
  if (!request.isMultipart())
    throw new DomainError('request.unsupported_media_type', { message: 'Send this as multipart/form-data.' });
  // Reject by content length before spooling.
  if (Number(request.headers['content-length']) > limit.maxBytes + FORM_BYTES) throw tooLarge(limit);
  await mkdir(spoolFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(spoolFolder, SPOOL_PREFIX));
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    // Without a prototype: a field may have any name.
    const fields: Record<string, string> = Object.create(null) as Record<string, string>;
    let file: UploadedFile | undefined;
    for await (const part of request.parts({
      limits: { fileSize: limit.maxBytes, files: 1, fields: 20, fieldSize: 65_536, parts: 21 },
    })) {
      if (part.type === 'field') {
        fields[part.fieldname] = typeof part.value === 'string' ? part.value : '';
        continue;
      }
      const path = join(folder, 'file');
      await pipeline(part.file, createWriteStream(path, { mode: 0o600 }));
      if (part.file.truncated) throw tooLarge(limit);
      file = { path, name: givenName(part.filename ?? ''), bytes: (await stat(path)).size };
    }
    return { fields, file, discard };
  } catch (error) {
    await discard();
    if (isOverLimit(error)) throw tooLarge(limit);
    throw isSendersFault(error) ? new DomainError('request.invalid', { message: 'The form is incomplete.' }) : error;
  }
}

/** Browsers escape three characters in a file name, since it is quoted (HTML, multipart/form-data). */
function givenName(name: string): string {
  return name.replaceAll(/%(?:22|0A|0D)/gu, (code) => decodeURIComponent(code));
}

function tooLarge({ maxBytes, tooLarge: key }: UploadLimit): DomainError {
  return new DomainError(key, { message: `The file is larger than ${Math.floor(maxBytes / 1_048_576)} MB.`, field: 'file' });
}

function isOverLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE';
}

/** The parser throws bare errors for a form that is cut short or has no boundary; a full disk names the failed system call. */
function isSendersFault(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DomainError || 'syscall' in error) return false;
  return !('code' in error) || error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
