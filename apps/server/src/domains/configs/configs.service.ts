import { createHash } from 'node:crypto';
import { configs, lengthOf, tidyName } from '@highline/contract';
import { DomainError, invalidField, isId, newId, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { raise } from '../notifications/index.ts';
import {
  deleteVersionsBefore,
  insertVersion,
  lockConfigs,
  nextVersion,
  selectConfig,
  selectSealed,
  updateNote,
  type ConfigRecord,
} from './configs.store.ts';
import type { Seal } from './seal.ts';

export interface ConfigServiceDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Encrypts contents under the installation's master key. */
  readonly seal: Seal;
}

export interface NewConfig {
  /** The file name from the client; untrusted text. */
  readonly fileName: string;
  /** Undefined keeps the description of an existing file. */
  readonly note?: string | undefined;
  readonly contents: Buffer;
}

/** Routers report the name, and a device's row stores this many characters of it. */
const MAX_NAME = 200;
/** How many versions are kept in addition to those that bindings name. */
const KEPT_VERSIONS = 50;

/**
 * A config file of the organization at one of its versions.
 * @param number of the version; undefined = the newest
 * @throws DomainError `config.not_found`, also for another organization's, for an invalid id and for a version that is not kept
 */
export async function findConfig(queries: Queries, scope: OrganizationScope, pk: string, number?: number): Promise<ConfigRecord> {
  return found(isId(pk) ? await selectConfig(queries, scope, pk, number, false) : undefined);
}

/**
 * As `findConfig`, for a binding: locked against deletion until the transaction ends.
 * @throws DomainError `config.not_found`
 */
export async function lockConfigForBinding(tx: Tx, scope: OrganizationScope, pk: string, number?: number): Promise<ConfigRecord> {
  return found(isId(pk) ? await selectConfig(tx, scope, pk, number, true) : undefined);
}

/**
 * The decrypted contents of one version, for the router they are sent to; a person reads them with `readContents`.
 * @throws DomainError `config.not_found`, `secret.unreadable`
 */
export async function openConfig(
  queries: Queries,
  seal: Seal,
  { organizationId }: Pick<OrganizationScope, 'organizationId'>,
  pk: string,
  number: number,
): Promise<Buffer> {
  const sealed = await selectSealed(queries, { organizationId }, pk, number);
  return seal.open({ organizationId, configId: pk, number }, found(sealed));
}

function found<T>(record: T | undefined): T {
  if (record === undefined) throw notFound();
  return record;
}

export function notFound(): DomainError {
  return new DomainError('config.not_found', { field: 'config' });
}

/**
 * Store a config file; an existing name makes the file's next version (CFG-02).
 * @returns its pk
 * @throws DomainError `config.empty`, `config.too_large`, `request.invalid` for an empty or too long name
 */
export async function uploadConfig(
  { database, clock, seal }: ConfigServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  { fileName, note, contents }: NewConfig,
): Promise<string> {
  const size = contents.length;
  if (size === 0) throw new DomainError('config.empty', { field: 'config' });
  if (size > configs.MAX_CONFIG_BYTES) throw new DomainError('config.too_large', { field: 'config' });
  const name = nameOf(fileName);
  const now = clock.now();
  const sha256 = createHash('sha256').update(contents).digest();
  return database.write(async (tx) => {
    const { id, number } = await nextVersion(tx, scope, { id: newId(now.getTime()), name, note }, now);
    const sealed = seal.seal({ organizationId: scope.organizationId, configId: id, number }, contents);
    await insertVersion(tx, scope, { id, number, size, sha256, sealed, by: actor.email }, now);
    await deleteVersionsBefore(tx, scope, id, number - KEPT_VERSIONS);
    await announce(tx, scope, 'configs', [id]);
    const eventDetail = { what: [name], count: 1, by: actor.email };
    await raise(tx, scope, [{ event: 'CONFIG_UPLOADED', groupKey: null, detail: eventDetail }], now);
    const action = number === 1 ? sentence('config.uploaded', name) : sentence('config.version_uploaded', number, name);
    const detail = { name, version: number, size, sha256: sha256.toString('hex') };
    await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'config', id }, detail }, now);
    return id;
  });
}

/** A file's name is text and never a path: everything up to the last slash is dropped. */
function nameOf(fileName: string): string {
  const last = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const name = tidyName(last.toWellFormed().replaceAll(/[\p{Cc}\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, ''));
  if (name === '' || name === '.' || name === '..') throw invalidField('config', 'the file has no name');
  if (lengthOf(name) > MAX_NAME) throw invalidField('config', `the name of the file must have at most ${MAX_NAME} characters`);
  return name;
}

/**
 * What an admin uploaded as a version, and an entry in the log that it was read: it may hold passwords.
 * @throws DomainError `config.not_found`, also for a version that is no longer kept
 */
export async function readContents(
  { database, clock, seal }: ConfigServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  pk: string,
  number: number,
): Promise<{ readonly name: string; readonly contents: Buffer }> {
  return database.write(async (tx) => {
    const { id, name } = await findConfig(tx, scope, pk);
    const contents = await openConfig(tx, seal, scope, id, number);
    const event = {
      action: sentence('config.read', number, name),
      subject: { kind: 'config', id },
      detail: { name, version: number },
    };
    await announce(tx, scope, 'configs', [id]);
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
    return { name, contents };
  });
}

/**
 * Change the description (CFG-03). A save that changes nothing is not logged.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `config.not_found`, `conflict.stale`
 */
export async function saveConfig(
  { database, clock }: ConfigServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  pk: string,
  note: string,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const file = found(isId(pk) ? (await lockConfigs(tx, scope, [pk]))[0] : undefined);
    if (!isCurrent(file.version)) throw new DomainError('conflict.stale');
    if (file.note === note) return;
    await updateNote(tx, scope, file.id, note, now);
    await announce(tx, scope, 'configs', [file.id]);
    const event = {
      action: sentence('config.described', file.name),
      subject: { kind: 'config', id: file.id },
      detail: { name: file.name, before: { note: file.note }, after: { note } },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  });
}
