import { alerts } from '@highline/contract';
import { DomainError, isId, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { withoutLimit } from '../../platform/calls/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { describeMany, recordAudit, sentence } from '../logs/index.ts';
import { deliverAcknowledged, deliverToIncidents } from './alert.events.ts';
import { acknowledgeLocked, lockAlerts, type LockedAlert } from './alerts.store.ts';

/**
 * Acknowledge alerts (ALR-03). Those that are acknowledged or resolved already stay as they are.
 * @param ids of alerts, or of storms, which stand for all of their alerts (ALR-06)
 * @returns how many were acknowledged
 * @throws DomainError `alert.not_found` if one of them is not the scope's; then none is acknowledged
 */
export async function acknowledgeAlerts(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  scope: Scope,
  actor: Actor,
  ids: readonly string[],
  note: string,
): Promise<number> {
  const now = clock.now();
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (!distinct.every(isId)) throw new DomainError('alert.not_found');
  return database.write(async (tx) => {
    const locked = await lockAlerts(tx, scope, distinct);
    const found = new Set(locked.flatMap(({ id, storm_id: storm }) => [id, storm]));
    if (!distinct.every((id) => found.has(id))) throw new DomainError('alert.not_found');
    const firing = locked.filter(({ state }) => state === 'firing');
    if (firing.length === 0) return 0;
    await acknowledgeLocked(tx, actor, firing, note, now);
    // In one order, because each log is locked.
    for (const [organizationId, own] of [...Map.groupBy(firing, (alert) => alert.organization_id)].toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    )) {
      const within: OrganizationScope = { kind: 'organization', mainAccountId: scope.mainAccountId, organizationId };
      await announce(
        tx,
        within,
        'alerts',
        own.map(({ id }) => id),
      );
      await withoutLimit(tx, async () => {
        await deliverAcknowledged(tx, within, own, actor.email, now);
        await deliverToIncidents(tx, 'alert.acknowledged', own, now, actor.email);
      });
      await recordAudit(tx, organizationId, actor, auditOf(own, note), now);
    }
    return firing.length;
  });
}

const isAboutDevice = ({ kind }: LockedAlert) => !alerts.isSystemKind(kind);
/** The serial number, or what else it is about. */
const subjectOf = (alert: LockedAlert) => (isAboutDevice(alert) ? alert.serial : alert.vehicle_number);

function auditOf(own: readonly LockedAlert[], note: string) {
  const [first] = own;
  const names = own.map((alert) => `${alert.rule_name} of ${subjectOf(alert)}`);
  const action =
    own.length === 1
      ? sentence('alert.acknowledged', first!.rule_name, subjectOf(first!))
      : sentence('alerts.acknowledged', own.length);
  return {
    action,
    subject: { kind: 'alert', id: own.length === 1 ? first!.id : '' },
    detail: { alerts: describeMany(names), note },
    devices: [...new Set(own.filter(isAboutDevice).map(({ device_id: id }) => id))],
  };
}
