import { type Actor, addDays, checkZone, dayIn, invalidField, type OrganizationScope, startOfDay } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { isKnownZone } from './zones.job.queries.ts';
import { hasUse, storeZone } from './zones.store.ts';
import { readZone } from './zones.queries.ts';

/** Reports that are being added were divided by the zone before: the change is later than any of them. */
const AHEAD_MS = 600_000;

/**
 * Choose the time zone of days and cycles of an organization (USE-03): from the next midnight there on, so that each day has one zone; from the
 * beginning if nothing was counted yet.
 * @returns the zone and its first day; null = it applies already
 * @throws DomainError `request.invalid`
 */
export async function setZone(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  scope: OrganizationScope,
  actor: Actor,
  chosen: string,
): Promise<{ zone: string; from: string | null }> {
  checkZone(chosen, 'zone');
  const zone = new Intl.DateTimeFormat('en-US', { timeZone: chosen }).resolvedOptions().timeZone;
  const now = clock.now();
  return database.write(async (tx) => {
    if (!(await isKnownZone(tx, zone))) throw invalidField('zone', 'is not a time zone');
    const before = await readZone(tx, scope, now);
    const day = addDays(dayIn(zone, new Date(now.getTime() + AHEAD_MS)), 1);
    const isFirst = !(await hasUse(tx, scope));
    const from = isFirst || before.zone === zone ? null : day;
    // Back to the one that applies: what was chosen for later is dropped.
    await storeZone(tx, scope, zone, isFirst ? new Date(0) : from === null ? now : startOfDay(zone, day), now);
    const action = sentence('usage.zone', zone);
    await recordAudit(
      tx,
      scope.organizationId,
      actor,
      { action, subject: { kind: 'organization', id: scope.organizationId }, detail: { before: before.zone, after: zone, from } },
      now,
    );
    await announce(tx, scope, 'usage', []);
    return { zone, from };
  });
}
