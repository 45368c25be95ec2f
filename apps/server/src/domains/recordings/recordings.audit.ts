import type { recordings } from '@highline/contract';
import type { OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence, serverActor } from '../logs/index.ts';
import { markRecordingEnded } from './recordings.store.ts';

/**
 * End a recording. The log entry has the last hash of its chain, so that it is sealed with the log.
 * @returns false when it had ended already
 */
export async function endRecording(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  reason: recordings.RecordingEnd,
  now: Date,
): Promise<boolean> {
  const ended = await markRecordingEnded(tx, scope, id, reason, now);
  if (ended === undefined) return false;
  const { device_id: deviceId, serial, chunks, bytes, hash, account_email: by } = ended;
  await announce(tx, scope, 'recordings', [id]);
  const event = {
    action: sentence('recording.ended', serial),
    subject: { kind: 'device', id: deviceId },
    detail: { serial, recording: id, by, reason, chunks, bytes, sha256: hash.toString('hex') },
  };
  await recordAudit(tx, scope.organizationId, serverActor, event, now);
  return true;
}
