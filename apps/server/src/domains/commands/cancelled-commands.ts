import { sentCommands as calls } from '@highline/contract';
import { DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { passwordEnds } from './passwords/password-ends.ts';
import { endPasswords } from './passwords/stored-passwords.job.queries.ts';
import { partOf } from './sent-command.ts';
import type { SendDeps } from './sent-commands.service.ts';
import { cancelWaiting } from './sent-commands.store.ts';

/** Cancel a command that waits (LIV-09). @throws DomainError `command.unknown`, `command.not_waiting` */
export async function cancelCommand(
  { database, clock }: SendDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const cancelled = await cancelWaiting(tx, scope, id, now);
    if (cancelled === undefined) throw new DomainError('command.not_waiting');
    if (cancelled.kind === calls.SET_PASSWORD)
      await endPasswords(tx, passwordEnds([{ ...cancelled, routerId: cancelled.router_id, state: 'cancelled' }]), now);
    const { device_id: device, serial } = cancelled;
    await announce(tx, scope, 'commands', [device]);
    const event = {
      action: sentence('command.cancelled', partOf(cancelled), serial),
      subject: { kind: 'device', id: device },
      detail: { serial, command: id, kind: cancelled.kind },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  });
}
