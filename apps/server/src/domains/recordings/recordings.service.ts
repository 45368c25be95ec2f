import type { recordings } from '@highline/contract';
import { contentVersion, DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { firstHash, hashChunk } from './chain.ts';
import { linesOf } from './chunk.ts';
import { findLoggedSeal, readRecordingSettings, type FoundRecording } from './recordings.queries.ts';
import { readChunks, writeRecordingSettings } from './recordings.store.ts';

type ServiceDeps = Pick<Deps, 'database' | 'clock'>;

/**
 * Turn recording on or off for terminals that are opened from now on, and choose how long recordings are kept.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `conflict.stale`
 */
export async function saveSettings(
  { database, clock }: ServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  settings: recordings.RecordingSettings,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  const { organizationId } = scope;
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const before = await readRecordingSettings(tx, scope);
    if (!isCurrent(contentVersion(before))) throw new DomainError('conflict.stale');
    if (before.recorded === settings.recorded && before.days === settings.days) return;
    await writeRecordingSettings(tx, scope, settings);
    await announce(tx, scope, 'recordings', []);
    const switched = settings.recorded ? 'recording.turned_on' : 'recording.turned_off';
    const event = {
      action: sentence(before.recorded === settings.recorded ? 'recording.kept' : switched),
      subject: { kind: 'organization', id: organizationId },
      detail: { recorded: settings.recorded, days: { from: before.days, to: settings.days } },
    };
    await recordAudit(tx, organizationId, actor, event, clock.now());
  });
}

/** The lines of a recording, as far as they are stored. Who reads it is logged first. */
export async function readCast(
  { database, clock }: ServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  { id, device_id: deviceId, serial, account_email: by }: FoundRecording,
): Promise<AsyncGenerator<Buffer>> {
  const event = {
    action: sentence('recording.read', serial),
    subject: { kind: 'device', id: deviceId },
    detail: { serial, recording: id, by },
  };
  await database.write((tx) => recordAudit(tx, scope.organizationId, actor, event, clock.now()));
  return linesOf(readChunks(database.read, scope, id));
}

/** Calculate the chain of a recording again, and compare its last hash with the one in the log. */
export async function verifySeal(
  queries: Queries,
  scope: OrganizationScope,
  recording: FoundRecording,
): Promise<{ readonly seal: recordings.RecordingSeal; readonly sha256: string }> {
  let hash = firstHash(recording.id);
  let chunks = 0;
  for await (const contents of readChunks(queries, scope, recording.id)) {
    hash = hashChunk(hash, contents);
    chunks += 1;
  }
  const sha256 = hash.toString('hex');
  if (recording.ended_at === null) return { seal: 'open', sha256 };
  const logged = await findLoggedSeal(queries, scope, recording);
  if (recording.chunks !== chunks || !hash.equals(recording.hash)) return { seal: 'changed', sha256 };
  if (logged === undefined) return { seal: 'log-deleted', sha256 };
  return { seal: logged.sha256 === sha256 && logged.chunks === chunks ? 'unbroken' : 'changed', sha256 };
}
