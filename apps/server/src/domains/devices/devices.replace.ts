import { createHash } from 'node:crypto';
import { DEFAULT_GROUP_KEY, type deviceReplacement } from '@highline/contract';
import { normalizeMac } from '@highline/usp';
import { americanDay } from '../../kernel/calendar.ts';
import { DomainError, isId, required, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Clock, Database, DeviceLink, Tx } from '../../platform/ports/index.ts';
import { moveProfiles, profilesToMove } from '../esims/index.ts';
import { assignRouters, lockRoutersInOrder, lockUnclaimed, releaseRouters } from '../inventory/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { deleteAlarms } from '../notifications/index.ts';
import { leaveRollouts, membershipChanged } from '../rollouts/index.ts';
import { claimFailure } from './devices.add.ts';
import { validateClaims, type RoutersClaimed } from './devices.claim.ts';
import { lockLocations, rejectMoved, untilStill } from './devices.moved.ts';
import { lockOrganizationForKeyShare } from './devices.organizations.ts';
import { describeRouter, findReplaceable, setRouter, type ReplaceableDevice } from './devices.replace.store.ts';

export interface Replacement {
  readonly device: string;
  /** The new router, as it is labelled: like a claim, it needs both. */
  readonly serial: string;
  readonly mac: string;
  /** Write nothing. */
  readonly dryRun: boolean;
  /** `confirmation` of the effect that the user has seen; undefined = not compared. */
  readonly confirmed?: string | undefined;
}

/**
 * Replace the router of a device by another one in stock, in one transaction (BLK-06). The device keeps its id, and with it vehicle,
 * group, tags, notes, properties, subscription and history; eSIMs with an activation code are downloaded again; bindings of the group
 * begin again. The former router returns to stock: it may connect, and what it reports belongs to no device until it is claimed again. Steps of rollouts and eSIMs under way
 * end, remote sessions end as soon as the change is committed.
 * @throws DomainError `not_found`; `device.serial_unknown`, `device.mac_mismatch`, `device.duplicate` about the new router;
 * `impact.changed` with the new effect as detail
 */
export async function replaceRouter(
  {
    database,
    clock,
    deviceLink,
    routerReplaced,
    routersClaimed,
  }: {
    readonly database: Database;
    readonly clock: Clock;
    readonly deviceLink: Pick<DeviceLink, 'disconnect'>;
    /** What others store for the router is the vehicle's: called in the transaction. */
    readonly routerReplaced: RouterReplaced;
    readonly routersClaimed: RoutersClaimed;
  },
  scope: Scope,
  actor: Actor,
  replacement: Replacement,
): Promise<deviceReplacement.ReplacementEffect> {
  const { device: id, dryRun } = replacement;
  if (!isId(id)) throw new DomainError('not_found', { field: 'device' });
  const now = clock.now();
  const { effect, replaced } = await untilStill(database, async (tx) => {
    const seen = required(await findReplaceable(tx, scope, id, false), 'not_found', { field: 'device' });
    const owner: OrganizationScope = {
      kind: 'organization',
      mainAccountId: scope.mainAccountId,
      organizationId: seen.organization_id,
    };
    await lockOrganizationForKeyShare(tx, owner);
    const router = await validateRouter(tx, owner, replacement);
    if (dryRun) return { effect: await effectOf(tx, owner, seen, router), replaced: undefined };
    // The groups before the routers before the device, in the order of every move.
    await lockLocations(tx, owner, [seen]);
    await lockRoutersInOrder(tx, owner, [seen.router_id, router.id]);
    const device = required(await findReplaceable(tx, owner, id, true), 'not_found', { field: 'device' });
    rejectMoved([seen], [device]);
    if (device.router_id !== seen.router_id || !(await lockUnclaimed(tx, owner, [router.id])).has(router.id))
      throw claimFailure('device.duplicate', {});
    const current = await effectOf(tx, owner, device, router);
    const { confirmed } = replacement;
    if (confirmed !== undefined && confirmed !== current.confirmation)
      throw new DomainError('impact.changed', { detail: current });
    await exchange(tx, owner, device, router, now);
    await routerReplaced(tx, owner, device.router_id, router.id, now);
    await recordReplacement(tx, owner, actor, device, current, now);
    return { effect: current, replaced: { former: device.router_id, next: router.id } };
  });
  if (replaced !== undefined) {
    deviceLink.disconnect([replaced.former], 'The router was replaced.');
    routersClaimed([replaced.next]);
  }
  return effect;
}

/** A vehicle has another router. */
export type RouterReplaced = (tx: Tx, owner: OrganizationScope, former: string, next: string, now: Date) => Promise<void>;

interface NewRouter {
  readonly id: string;
  readonly serial: string;
  readonly mac: string;
}

/** @throws DomainError as a claim of the router */
async function validateRouter(tx: Tx, owner: OrganizationScope, { serial, mac }: Replacement): Promise<NewRouter> {
  const claim = { serial, mac: normalizeMac(mac), groupKey: DEFAULT_GROUP_KEY, startedOn: null, expiresOn: null };
  const [decision] = await validateClaims(tx, owner, [claim]);
  if (decision === undefined || 'fault' in decision) throw claimFailure(decision?.fault ?? 'device.serial_unknown', {});
  return decision.router;
}

/** What the replacement does; its confirmation changes with each part of it. */
async function effectOf(
  tx: Tx,
  owner: OrganizationScope,
  device: ReplaceableDevice,
  router: NewRouter,
): Promise<deviceReplacement.ReplacementEffect> {
  const described = await describeRouter(tx, owner, router.id);
  const { moving, staying } = await profilesToMove(tx, owner, device.router_id);
  const effect = {
    device: device.id,
    vehicle: device.vehicle_number,
    group: device.group_name,
    tags: [...device.tags],
    started: americanDay(device.started_on),
    expired: americanDay(device.expires_on),
    former: {
      serial_number: device.serial,
      mac: device.mac,
      model: device.model ?? '',
      isOnline: device.presence === 'online',
    },
    next: { serial_number: router.serial, mac: router.mac, model: described.model, isOnline: described.presence === 'online' },
    hasEuicc: described.hasEuicc,
    esims: { moving, staying },
  };
  const { former, next, ...rest } = effect;
  // Whether the routers are connected changes all the time, and changes nothing about what is done.
  const parts = [rest, former.serial_number, next.serial_number, next.model];
  return { ...effect, confirmation: createHash('sha256').update(JSON.stringify(parts)).digest('hex') };
}

async function exchange(
  tx: Tx,
  owner: OrganizationScope,
  device: ReplaceableDevice,
  router: NewRouter,
  now: Date,
): Promise<void> {
  const { id, router_id: former } = device;
  await leaveRollouts(tx, owner, [id], now);
  await releaseRouters(tx, owner, [former], now);
  await setRouter(tx, owner, id, router.id, now);
  await assignRouters(tx, owner, [{ routerId: router.id, organizationId: owner.organizationId, deviceId: id }], now);
  await moveProfiles(tx, owner, former, { routerId: router.id, serial: router.serial }, now);
  // The alarms of the former router are not those of the new one.
  await deleteAlarms(tx, owner, [former, router.id]);
  await membershipChanged(tx, owner, [id], now);
}

/** Announce it, and log it for the organization and for the main account, whose stock changed. */
async function recordReplacement(
  tx: Tx,
  owner: OrganizationScope,
  actor: Actor,
  { id }: ReplaceableDevice,
  { former, next, vehicle, esims }: deviceReplacement.ReplacementEffect,
  now: Date,
): Promise<void> {
  const { mainAccountId, organizationId } = owner;
  await announce(tx, owner, 'devices', [id]);
  await announce(tx, owner, 'groups', []);
  await announce(tx, owner, 'esims', []);
  await announce(tx, { kind: 'main', mainAccountId }, 'inventory', []);
  const [before, after] = [former.serial_number, next.serial_number];
  const event = {
    action: vehicle === '' ? sentence('device.replaced', before, after) : sentence('device.replaced_in', before, vehicle, after),
    subject: { kind: 'device', id },
    detail: {
      before: { serial: former.serial_number, mac: former.mac },
      after: { serial: next.serial_number, mac: next.mac },
      esims: { 'downloaded again': esims.moving, 'left on the former router': esims.staying },
    },
    devices: [id],
  };
  // Logs are locked in the order of their ids, as everywhere.
  for (const chainId of [mainAccountId, organizationId].toSorted()) await recordAudit(tx, chainId, actor, event, now);
}
