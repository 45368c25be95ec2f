import { normalizeMac } from '@highline/usp';
import { DomainError, type FailureDetail, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Clock, Database } from '../../platform/ports/index.ts';
import { DEFAULT_GROUP_KEY, type deviceAdding } from '@highline/contract';
import type { z } from 'zod';
import { getGroup } from '../groups/index.ts';
import { membershipChanged } from '../rollouts/index.ts';
import { readSubscription } from '../subscriptions/index.ts';
import { recordMembership } from './devices.audit.ts';
import { claimDevices, claimedRouters, type ClaimFault, type DeviceClaim, type RoutersClaimed } from './devices.claim.ts';

type NewDevice = z.output<typeof deviceAdding.newDevice>;

/**
 * Add devices by hand, all or none (DEV-05, DEV-06).
 * @returns their ids, in the order given
 * @throws DomainError `device.serial_unknown`, `device.mac_mismatch`, `device.duplicate`, `device.dates_reversed`,
 * `group.not_found`, `request.invalid` for an invalid date
 */
export async function addDevices(
  deps: { readonly database: Database; readonly clock: Clock; readonly routersClaimed: RoutersClaimed },
  scope: OrganizationScope,
  actor: Actor,
  input: readonly NewDevice[],
): Promise<string[]> {
  const now = deps.clock.now();
  const { ids, routers } = await deps.database.write(async (tx) => {
    const groupKeys = new Map<string, string>();
    for (const key of new Set(input.map(groupOf))) groupKeys.set(key, (await getGroup(tx, scope, key)).key);
    const claims = input.map((device, index) => claimOf(device, groupKeys.get(groupOf(device))!, fieldAt(index, input)));
    const outcomes = await claimDevices(tx, scope, claims, now);
    const added = outcomes.map((outcome, index) => {
      if ('fault' in outcome) throw claimFailure(outcome.fault, fieldAt(index, input));
      return { id: outcome.deviceId, serial: outcome.serial, groupKey: claims[index]!.groupKey };
    });
    const ids = added.map(({ id }) => id);
    await membershipChanged(tx, scope, ids, now);
    await recordMembership(tx, scope, actor, 'Added', added, now);
    return { ids, routers: claimedRouters(outcomes) };
  });
  deps.routersClaimed(routers);
  return ids;
}

function groupOf(device: NewDevice): string {
  return device.group === undefined || device.group === '' ? DEFAULT_GROUP_KEY : device.group;
}

/** The position of the failed device among several; empty if there is only one. */
function fieldAt(index: number, input: readonly NewDevice[]): FailureDetail {
  return input.length === 1 ? {} : { reason: `Device ${index + 1} of ${input.length}` };
}

function claimOf(device: NewDevice, groupKey: string, at: FailureDetail): DeviceClaim {
  return { serial: device.serial_number, mac: normalizeMac(device.mac), groupKey, ...readSubscription(device, at) };
}

/** Code -6 names the field of the fault: `serial`, `mac` or other (DEV-06). */
export function claimFailure(fault: ClaimFault, at: FailureDetail): DomainError {
  if (fault === 'device.serial_unknown') return new DomainError(fault, { ...at, field: 'serial_number', detail: 'serial' });
  if (fault === 'device.mac_mismatch') return new DomainError(fault, { ...at, field: 'mac', detail: 'mac' });
  return new DomainError(fault, { ...at, field: 'serial_number', detail: 'other' });
}
