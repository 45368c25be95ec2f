import { createHash } from 'node:crypto';
import { DEFAULT_GROUP_KEY, type deviceAdding } from '@highline/contract';
import type { z } from 'zod';
import { DomainError, type FailureDetail, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Clock, Database, Tx } from '../../platform/ports/index.ts';
import { getGroup } from '../groups/index.ts';
import { findRouters, listFreeRouters } from '../inventory/index.ts';
import { membershipChanged } from '../rollouts/index.ts';
import { readSubscription } from '../subscriptions/index.ts';
import { recordMembership } from './devices.audit.ts';
import { claimDevices, claimedRouters, type DeviceClaim, type RoutersClaimed } from './devices.claim.ts';
import { takenNames } from './devices.store.ts';

type NewBatch = z.output<typeof deviceAdding.newBatch>;
type BatchResult = Omit<z.input<typeof deviceAdding.addBatch.response>['result'], 'dryRun'>;
type BatchRow = BatchResult['devices'][number];
type NamedClaim = DeviceClaim & { readonly mac: string; readonly vehicleNumber: string };

/**
 * Create devices of one model from the stock, named name + number, all or none (OLD-04, docs/domains/older-model.md).
 * @param options.dryRun return what would be created, and write nothing
 * @param options.confirmed `confirmation` of the dry run that the user has seen; undefined = not compared
 * @returns the devices in the order of their numbers
 * @throws DomainError `inventory.too_few`, `device.name_taken`, `device.serial_unknown`, `device.other_model`,
 * `device.duplicate`, each naming the device of the batch that failed; `group.not_found`, `device.dates_reversed`;
 * `impact.changed` with what would be created now as detail
 */
export async function addBatch(
  deps: { readonly database: Database; readonly clock: Clock; readonly routersClaimed: RoutersClaimed },
  scope: OrganizationScope,
  actor: Actor,
  input: NewBatch,
  { dryRun, confirmed }: { readonly dryRun: boolean; readonly confirmed?: string | undefined },
): Promise<BatchResult> {
  const now = deps.clock.now();
  const { result, routers } = await deps.database.write(async (tx) => {
    const claims = await planBatch(tx, scope, input);
    const planned = { devices: claims.map((claim) => rowOf(claim, '')), confirmation: confirmationOf(scope, claims) };
    if (dryRun) return { result: planned, routers: [] };
    if (confirmed !== undefined && confirmed !== planned.confirmation)
      throw new DomainError('impact.changed', { detail: planned });
    const names = claims.map(({ vehicleNumber }) => vehicleNumber);
    const outcomes = await claimDevices(tx, scope, claims, now);
    const added = outcomes.map((outcome, index) => {
      if ('fault' in outcome) throw new DomainError(outcome.fault, { ...fieldAt(index, names), detail: 'other' });
      const { serial, groupKey } = claims[index]!;
      return { id: outcome.deviceId, serial, groupKey };
    });
    await membershipChanged(
      tx,
      scope,
      added.map(({ id }) => id),
      now,
    );
    await recordMembership(tx, scope, actor, 'Added', added, now);
    const devices = claims.map((claim, index) => rowOf(claim, added[index]!.id));
    return { result: { ...planned, devices }, routers: claimedRouters(outcomes) };
  });
  deps.routersClaimed(routers);
  return result;
}

/** Changes with each part of what is created. */
function confirmationOf({ organizationId }: OrganizationScope, claims: readonly NamedClaim[]): string {
  return createHash('sha256').update(JSON.stringify({ organizationId, claims })).digest('hex');
}

/** Assigns routers to names. */
async function planBatch(tx: Tx, scope: OrganizationScope, input: NewBatch): Promise<NamedClaim[]> {
  const names = namesOf(input);
  const { key: groupKey } = await getGroup(tx, scope, input.group || DEFAULT_GROUP_KEY);
  const subscription = readSubscription(input, {});
  const first = input.serial_number ?? '';
  const from = first === '' ? '' : await checkFirst(tx, scope, first, input.model);
  const routers = await listFreeRouters(tx, scope, { model: input.model, from, limit: names.length });
  const free = routers.length;
  if (free < names.length)
    throw new DomainError('inventory.too_few', { ...fieldAt(free, names), field: 'batch', detail: { free } });
  const taken = await takenNames(tx, scope, names);
  const clash = names.findIndex((name) => taken.has(name));
  if (clash !== -1) throw new DomainError('device.name_taken', { ...fieldAt(clash, names), field: 'name' });
  return routers.map(({ serial, mac }, index) => ({ serial, mac, groupKey, vehicleNumber: names[index]!, ...subscription }));
}

/** The first router of a batch must be in stock, and of the model. @returns its serial number as it is stored */
async function checkFirst(tx: Tx, scope: OrganizationScope, serial: string, model: string): Promise<string> {
  const router = (await findRouters(tx, scope, [serial])).get(serial);
  const about = { field: 'serial_number', detail: 'serial' };
  if (router === undefined) throw new DomainError('device.serial_unknown', about);
  if (router.claimed) throw new DomainError('device.duplicate', { ...about, detail: 'other' });
  const [first] = await listFreeRouters(tx, scope, { model, from: router.serial, limit: 1 });
  if (first?.serial !== router.serial) throw new DomainError('device.other_model', { field: 'serial_number' });
  return router.serial;
}

/** Name + number; as many digits as the first was typed with. */
function namesOf({ name, first = '1', batch }: NewBatch): string[] {
  return Array.from({ length: batch }, (_, index) => `${name}${String(Number(first) + index).padStart(first.length, '0')}`);
}

function fieldAt(index: number, names: readonly string[]): FailureDetail {
  return { reason: `Device ${index + 1} of ${names.length}: ${names[index]!}` };
}

function rowOf({ vehicleNumber, serial, mac }: NamedClaim, device: string): BatchRow {
  return { device, vehicle_number: vehicleNumber, serial_number: serial, mac };
}
