import { DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { isUnreachable } from '../../platform/ports/device-link.ts';
import { forgetPasswords } from '../commands/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { QUESTION_MS, type ConnectDeps } from './connection-failures.ts';
import type { RemoteTarget } from './remote-access.queries.ts';

type ResetDeps = Pick<ConnectDeps, 'database' | 'clock' | 'commands'>;

/**
 * Reset the password of a router that is connected to this process, and log it (RMT-06).
 * @throws DomainError `remote.reset_unsupported`, `remote.reset_failed`
 */
export async function resetPassword(
  deps: ResetDeps,
  scope: OrganizationScope,
  actor: Actor,
  target: RemoteTarget,
): Promise<void> {
  await requireReset(deps, target);
  try {
    await deps.commands.resetPassword(target.routerId);
  } catch (error) {
    // A router that gave no response may have done it anyway: the attempt is logged either way.
    await recordReset(deps, scope, actor, target, 'failed');
    throw error;
  }
  await recordReset(deps, scope, actor, target, 'done');
}

/** Nothing is sent to a router without this command, and nothing is logged. */
async function requireReset({ commands }: ResetDeps, { routerId }: RemoteTarget): Promise<void> {
  const isOffered = await commands.offersReset(routerId, QUESTION_MS).catch((error: unknown) => {
    // Without a response the command itself will show it.
    if (isUnreachable(error)) return true;
    throw error;
  });
  if (!isOffered) throw new DomainError('remote.reset_unsupported');
}

async function recordReset(
  { database, clock }: ResetDeps,
  scope: OrganizationScope,
  actor: Actor,
  { deviceId, routerId, serial }: RemoteTarget,
  outcome: 'done' | 'failed',
): Promise<void> {
  const action = outcome === 'done' ? sentence('device.password_reset', serial) : sentence('device.password_reset_tried', serial);
  await database.write(async (tx) => {
    await announce(tx, scope, 'remote', [deviceId]);
    const event = { action, subject: { kind: 'device', id: deviceId }, detail: { serial, outcome } };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
    // Without an answer the router may have either.
    if (outcome === 'done') await forgetPasswords(tx, [routerId]);
  });
}
