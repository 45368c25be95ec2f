import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { DomainError, invalidField, isId, type MainScope, newId, type Scope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { BlobStore, Database, Queries, Tx } from '../../platform/ports/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { raiseEverywhere } from '../notifications/index.ts';
import {
  deleteFirmware,
  groupsBoundToFirmware,
  hasVersion,
  insertFirmware,
  lockFirmware,
  lockNamedBlobs,
  selectFirmware,
  shareBlobs,
  shareFirmware,
  type BoundGroup,
  type FirmwareRecord,
  type NewFirmware,
} from './firmware.store.ts';
import { inspectImage, type InspectedImage } from './inspect-image.ts';

export interface FirmwareServiceDeps extends Pick<Deps, 'database' | 'blobs' | 'clock'> {
  /** Limit of an image. */
  readonly maxBytes: number;
  /** Ed25519; signatures by these keys are trusted. */
  readonly publicKeys: readonly KeyObject[];
}

export interface NewImage {
  readonly version: string;
  readonly profile: string;
  readonly note?: string | undefined;
  /** Accept an image without our trailer. */
  readonly unsigned?: boolean;
  readonly file: InspectedImage & { readonly name: string };
}

/** The name is only displayed; longer ones are cut. */
const MAX_FILE_NAME = 300;
/** The most group names listed in an error. */
const NAMED_GROUPS = 5;

/**
 * The firmware of the scope's main account by its pk.
 * @throws DomainError `firmware.not_found`, also for another main account's and for an invalid id
 */
export async function findFirmware(queries: Queries, scope: Scope, pk: string): Promise<FirmwareRecord> {
  return found(isId(pk) ? await selectFirmware(queries, scope, pk) : undefined);
}

/**
 * As `findFirmware`, for a binding: locked against deletion until the transaction ends.
 * @throws DomainError `firmware.not_found`
 */
export async function lockFirmwareForBinding(tx: Tx, scope: Scope, pk: string): Promise<FirmwareRecord> {
  return found(isId(pk) ? await shareFirmware(tx, scope, pk) : undefined);
}

function found(record: FirmwareRecord | undefined): FirmwareRecord {
  if (record === undefined) throw new DomainError('firmware.not_found', { field: 'firmware' });
  return record;
}

/**
 * Add an image to the catalogue (FWR-02). Nothing is stored if it is rejected.
 * @returns its pk
 * @throws DomainError `firmware.empty`, `firmware.too_large`, `firmware.truncated`, `firmware.unsigned`,
 * `firmware.bad_signature`, `firmware.mismatch`, `firmware.duplicate`, `request.invalid`
 */
export async function uploadFirmware(
  deps: FirmwareServiceDeps,
  scope: MainScope,
  actor: AuditActor,
  image: NewImage,
): Promise<string> {
  const { database, clock, publicKeys } = deps;
  const { version, profile, unsigned = false, file } = image;
  rejectBlank({ version, profile });
  if (file.bytes === 0) throw new DomainError('firmware.empty', { field: 'file' });
  if (file.bytes > deps.maxBytes) throw new DomainError('firmware.too_large', { field: 'file' });
  // An early check; the table's constraint decides after the work.
  if (await hasVersion(database.read, scope, profile, version)) throw duplicate();
  const signedBy = await inspectImage(file, { version, profile, unsigned }, publicKeys);
  const blob = await deps.blobs.write(createReadStream(file.path), deps.maxBytes);
  if (blob === 'too-large') throw new DomainError('firmware.too_large', { field: 'file' });
  const firmware: NewFirmware = {
    id: newId(clock.now().getTime()),
    version,
    profile,
    note: image.note ?? '',
    file_name: shownName(file.name),
    size: blob.size,
    sha256: Buffer.from(blob.sha256, 'hex'),
    signed_by: signedBy,
  };
  await database.write((tx) => enter(tx, deps, scope, actor, firmware));
  return firmware.id;
}

async function enter(
  tx: Tx,
  { blobs, clock }: FirmwareServiceDeps,
  scope: MainScope,
  actor: AuditActor,
  firmware: NewFirmware,
): Promise<void> {
  const now = clock.now();
  await shareBlobs(tx);
  // The sweep can delete it before its row exists only if that took longer than the sweep's grace period.
  if (!(await blobs.has(firmware.sha256.toString('hex')))) throw new DomainError('server.busy', { retryAfter: 1 });
  if (!(await insertFirmware(tx, scope, firmware, now))) throw duplicate();
  await announce(tx, scope, 'firmware', [firmware.id]);
  const eventDetail = { what: [`${firmware.version} – ${firmware.profile}`], count: 1 };
  await raiseEverywhere(tx, scope, { event: 'FIRMWARE_UPLOADED', detail: eventDetail }, now);
  const { version, profile, size, signed_by: signedBy, file_name: file } = firmware;
  const detail = { version, profile, size, sha256: firmware.sha256.toString('hex'), signedBy, file };
  const subject = { kind: 'firmware', id: firmware.id };
  const event = { action: sentence('firmware.uploaded', version, profile), subject, detail };
  await recordAudit(tx, scope.mainAccountId, actor, event, now);
}

function duplicate(): DomainError {
  return new DomainError('firmware.duplicate', { field: 'version' });
}

function rejectBlank(fields: Readonly<Record<string, string>>): void {
  for (const [field, value] of Object.entries(fields)) if (value === '') throw invalidField(field, 'must not be empty');
}

/** Clients may send any file name; characters that a column or a table row cannot hold are removed. */
function shownName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, MAX_FILE_NAME)
    .toWellFormed();
}

/**
 * Delete an image from the catalogue, with the history of its bindings; the next sweep deletes its file.
 * @throws DomainError `firmware.not_found`, `firmware.bound` with up to five groups and their number
 */
export async function removeFirmware(
  { database, clock }: Pick<FirmwareServiceDeps, 'database' | 'clock'>,
  scope: MainScope,
  actor: AuditActor,
  pk: string,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const { id, version, profile } = found(isId(pk) ? await lockFirmware(tx, scope, pk) : undefined);
    rejectBound(await groupsBoundToFirmware(tx, scope, id));
    await deleteFirmware(tx, scope, id);
    await announce(tx, scope, 'firmware', [id]);
    const subject = { kind: 'firmware', id };
    const event = { action: sentence('firmware.deleted', version, profile), subject, detail: { version, profile } };
    await recordAudit(tx, scope.mainAccountId, actor, event, now);
  });
}

function rejectBound(groups: readonly BoundGroup[]): void {
  if (groups.length === 0) return;
  throw new DomainError('firmware.bound', { detail: { groups: groups.slice(0, NAMED_GROUPS), total: groups.length } });
}

/** How long a blob without a row is kept: a new one may be about to get its row. */
const TIMEOUT_MS = 3_600_000;

/** Delete files that no catalogue names, and remains of interrupted uploads. @returns how many files */
export async function sweepFirmwareBlobs(database: Database, blobs: BlobStore, now: Date): Promise<number> {
  return database.write(async (tx) => {
    const named = await lockNamedBlobs(tx);
    return blobs.sweep(new Date(now.getTime() - TIMEOUT_MS), (sha256) => named.has(sha256));
  });
}
