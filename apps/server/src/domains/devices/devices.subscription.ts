import { americanDay, DomainError, required, isId, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Clock, Database } from '../../platform/ports/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { subscriptionChanged } from '../rollouts/index.ts';
import { readSubscription } from '../subscriptions/index.ts';
import { lockSubscription, updateSubscription, type LockedSubscription } from './devices.store.ts';

/** A device's subscription in the API call, MM/DD/YYYY. */
export interface NewSubscription {
  readonly device: string;
  readonly started: string;
  readonly expired: string;
}

/**
 * Set a device's subscription: extend it, shorten it or begin it. Saving the current values is not logged.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `not_found`, `conflict.stale`, `device.dates_reversed`, `request.invalid` for an invalid date
 */
export async function saveSubscription(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  scope: Scope,
  actor: Actor,
  input: NewSubscription,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  const { device: id } = input;
  if (!isId(id)) throw new DomainError('not_found');
  const days = readSubscription(input, {});
  const now = clock.now();
  await database.write(async (tx) => {
    const device = required(await lockSubscription(tx, scope, id), 'not_found');
    if (!isCurrent(device.version)) throw new DomainError('conflict.stale');
    if (device.started_on === days.startedOn && device.expires_on === days.expiresOn) return;
    await updateSubscription(tx, scope, id, days, now);
    const organizationId = device.organization_id;
    const owner: OrganizationScope = { kind: 'organization', mainAccountId: scope.mainAccountId, organizationId };
    await announce(tx, owner, 'devices', [id]);
    await announce(tx, owner, 'organizations', [organizationId]);
    // A rollout that waited for the subscription continues at once.
    await subscriptionChanged(tx, owner, [id], now);
    await recordAudit(tx, organizationId, actor, changeEvent(device, days), now);
  });
}

function changeEvent(device: LockedSubscription, { startedOn, expiresOn }: { startedOn: string; expiresOn: string }) {
  return {
    action: sentence('device.subscription_changed', device.serial),
    subject: { kind: 'device', id: device.id },
    detail: {
      serial: device.serial,
      before: { started: americanDay(device.started_on), expired: americanDay(device.expires_on) },
      after: { started: americanDay(startedOn), expired: americanDay(expiresOn) },
    },
  };
}
