import type { ConnectionChange, ConnectionImpact } from '@highline/contract';
import { DomainError, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { recordAudit, type AuditActor } from '../logs/index.ts';
import { assertConfirmed, carrierChange, labelOf, vehicleOf } from './effects.ts';
import { profileEvent } from './esims.audit.ts';
import { deleteProfileRow, setStatus, type LockedProfile } from './esims.store.ts';
import { isInUse, successorOf } from './lineup.ts';
import { type EsimServiceDeps, type Confirmation, type Locked, lockProfile, taken } from './profile-lock.ts';
import { lineup } from './profile-order.ts';

/**
 * Delete a profile from a router (SIM-08): 'Deleting...' until the router confirms it. A profile that never reached its router is
 * deleted at once. Deleting the one in use first switches the router to the next that connects; without one, the router becomes
 * unreachable. A second call changes nothing.
 * @returns the profile as it was
 * @throws DomainError `esim.not_found`, `esim.is_preloaded`, `impact.changed`
 */
export async function removeProfile(
  { database, clock }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  pk: string,
  { dryRun, confirmed }: Confirmation = taken,
): Promise<{ readonly row: LockedProfile; readonly impact: ConnectionImpact }> {
  const now = clock.now();
  return database.write(async (tx) => {
    const locked = await lockProfile(tx, scope, pk);
    const { row } = locked;
    if (row.is_preloaded) throw new DomainError('esim.is_preloaded');
    const impact = assertConfirmed(deletionChanges(locked), confirmed);
    if (dryRun || row.status === 'Deleting...') return { row, impact };
    if (row.path === null && row.step === null) await deleteProfileRow(tx, scope, row.id);
    else await setStatus(tx, scope, row.id, 'Deleting...', now);
    await announce(tx, scope, 'esims', [row.id]);
    await recordAudit(tx, scope.organizationId, actor, profileEvent('Deleted', row), now);
    return { row, impact };
  });
}

function deletionChanges(locked: Locked): ConnectionChange[] {
  const { row, router } = locked;
  const all = lineup(locked);
  if (row.status === 'Deleting...' || !isInUse(all, row.id)) return [];
  const next = successorOf(all, row.id);
  if (next !== undefined) return [carrierChange(router, row, next)];
  return [{ ...vehicleOf(router), kind: 'unreachable', from: labelOf(row), to: '' }];
}
