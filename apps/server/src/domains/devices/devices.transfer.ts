import { DEFAULT_GROUP_KEY, type organizations, type rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError } from '../../kernel/failure.ts';
import { isId } from '../../kernel/ids.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Clock } from '../../platform/ports/clock.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { profileEvent, withdrawUses } from '../esims/index.ts';
import { lockRoutersInOrder, reassignRouters, storedSerials } from '../inventory/index.ts';
import { type AuditAction, type AuditEvent, describeMany, recordAudit, sentence } from '../logs/index.ts';
import { deleteAlarms } from '../notifications/index.ts';
import { deletePropertiesOf } from '../properties/index.ts';
import { deleteSettingsOf } from '../router-settings/index.ts';
import { arrivalImpact, leaveRollouts, membershipChanged } from '../rollouts/index.ts';
import { devicesOf } from './device.filters.ts';
import { raiseMembership } from './devices.audit.ts';
import { lockLocations, rejectMoved, untilStill } from './devices.moved.ts';
import { lockOrganizationsForKeyShare } from './devices.organizations.ts';
import { countLosses } from './devices.transfer.queries.ts';
import {
  findBySerials,
  lockForTransfer,
  moveToOrganization,
  namesOf,
  type TransferableDevice,
} from './devices.transfer.store.ts';

export interface Transfer {
  /** The organization all devices are in; undefined = each may come from another one. */
  readonly origin?: string | undefined;
  readonly target: string;
  readonly serials: readonly string[];
  /** Write nothing. */
  readonly dryRun?: boolean;
  /** `confirmation` of the impact that the user has seen; undefined = not compared. */
  readonly confirmed?: string | undefined;
}

export interface Transferred {
  /** How many changed their organization; 0 of a dry run. */
  readonly transferred: number;
  /** What the target's default group starts on them. */
  readonly impact: rollouts.Arrivals;
  /** What is deleted or cancelled for good. */
  readonly lost: organizations.TransferLosses;
}

/**
 * Transfer devices to another organization of the same main account, all or none (OGL-04). The device keeps its id, so the
 * history of its ownership intervals moves with it; its group and tags do not: it starts in the default group of its new organization.
 * Devices already in the target are left unchanged.
 * @throws DomainError `not_found` for an organization or a serial number that is not the main account's, or not in `origin`;
 * `organization.same_target` when nothing would change; `impact.changed` with the new impact as detail
 */
export async function transferDevices(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  scope: MainScope,
  actor: Actor,
  transfer: Transfer,
): Promise<Transferred> {
  const now = clock.now();
  const target = idOf(transfer.target, 'target');
  const origin = transfer.origin === undefined ? undefined : idOf(transfer.origin, 'origin');
  const stored = await storedSerials(database.read, scope, transfer.serials);
  const serials = [...new Set(transfer.serials.map((serial) => stored.get(serial) ?? serial))];
  return untilStill(database, async (tx) => {
    const living = await lockOrganizationsForKeyShare(tx, scope, origin === undefined ? [target] : [origin, target]);
    if (!living.has(target)) throw new DomainError('not_found', { field: 'target' });
    if (origin !== undefined && !living.has(origin)) throw new DomainError('not_found', { field: 'origin' });
    const seen = await seek(tx, scope, serials, origin);
    const moving = seen.filter((device) => device.organization_id !== target);
    if (moving.length === 0) throw new DomainError('organization.same_target', { field: 'target' });
    const losses = () =>
      countLosses(
        tx,
        scope,
        moving.map(({ id }) => id),
      );
    if (transfer.dryRun === true)
      return { transferred: 0, impact: await impactOf(tx, scope, moving, target), lost: await losses() };
    await lock(tx, scope, moving, target);
    const impact = await impactOf(tx, scope, moving, target);
    const { confirmed } = transfer;
    if (confirmed !== undefined && confirmed !== impact.confirmation) throw new DomainError('impact.changed', { detail: impact });
    const lost = await losses();
    const withdrawn = await carryOver(tx, scope, moving, target, now);
    await recordTransfer(tx, scope, actor, moving, target, withdrawn, now);
    return { transferred: moving.length, impact, lost };
  });
}

function impactOf(tx: Tx, scope: MainScope, moving: readonly TransferableDevice[], target: string): Promise<rollouts.Arrivals> {
  const ids = moving.map(({ id }) => id);
  const devices = sql`${devicesOf(scope)} and d.id = any (${ids}::uuid[])`;
  return arrivalImpact(tx, within(scope, target), DEFAULT_GROUP_KEY, devices);
}

/** @throws DomainError `not_found` for an invalid id */
function idOf(text: string, field: 'origin' | 'target'): string {
  if (!isId(text)) throw new DomainError('not_found', { field });
  return text.toLowerCase();
}

/** @throws DomainError `not_found`, naming the first unknown serial number */
async function seek(tx: Tx, scope: MainScope, serials: readonly string[], origin?: string): Promise<TransferableDevice[]> {
  const found = await findBySerials(tx, scope, serials);
  const origins = new Set(found.map((device) => device.organization_id));
  const living = origins.size === 0 ? origins : await lockOrganizationsForKeyShare(tx, scope, [...origins]);
  const here = found.filter(({ organization_id: home }) => living.has(home) && (origin === undefined || home === origin));
  if (here.length === serials.length) return here;
  const known = new Set(here.map(({ serial }) => serial));
  throw new DomainError('not_found', { field: `serials.${serials.findIndex((serial) => !known.has(serial))}` });
}

/** The groups before the routers before the devices, in the order of every move. */
async function lock(tx: Tx, scope: MainScope, devices: readonly TransferableDevice[], target: string): Promise<void> {
  await lockLocations(tx, scope, [...devices, { organization_id: target, group_key: DEFAULT_GROUP_KEY }]);
  await lockRoutersInOrder(
    tx,
    scope,
    devices.map((device) => device.router_id),
  );
  const locked = await lockForTransfer(
    tx,
    scope,
    devices.map(({ id }) => id),
  );
  rejectMoved(locked, devices);
}

/** @returns what was withdrawn, for the logs of the organizations that had planned it */
async function carryOver(
  tx: Tx,
  scope: MainScope,
  devices: readonly TransferableDevice[],
  target: string,
  now: Date,
): Promise<AuditDraft[]> {
  const withdrawn: AuditDraft[] = [];
  const ids = devices.map(({ id }) => id);
  for (const [origin, own] of originsOf(devices)) {
    const leaving = own.map(({ id }) => id);
    await leaveRollouts(tx, within(scope, origin), leaving, now);
    await deletePropertiesOf(tx, within(scope, origin), leaving);
    await deleteSettingsOf(tx, within(scope, origin), leaving);
    for (const profile of await withdrawUses(tx, within(scope, origin), leaving, now))
      withdrawn.push({ chainId: origin, event: profileEvent('Withdrew the switch to', profile) });
  }
  await moveToOrganization(tx, scope, ids, target, now);
  const claims = devices.map(({ id, router_id }) => ({ routerId: router_id, organizationId: target, deviceId: id }));
  await reassignRouters(tx, scope, claims, now);
  // Report the current alarms of a router again to its new organization.
  await deleteAlarms(
    tx,
    scope,
    claims.map(({ routerId }) => routerId),
  );
  await membershipChanged(tx, within(scope, target), ids, now);
  return withdrawn;
}

function originsOf(devices: readonly TransferableDevice[]): Map<string, TransferableDevice[]> {
  return Map.groupBy(devices, (device) => device.organization_id);
}

function within({ mainAccountId }: MainScope, organizationId: string): OrganizationScope {
  return { kind: 'organization', mainAccountId, organizationId };
}

/** An entry of one log. */
interface AuditDraft {
  readonly chainId: string;
  readonly event: AuditEvent;
}

/**
 * Announce a transfer to the consoles of both sides. Each side logs it without the name of the other customer; the main account's
 * log names both. Logs are locked in the order of their ids, as everywhere.
 */
async function recordTransfer(
  tx: Tx,
  scope: MainScope,
  actor: Actor,
  devices: readonly TransferableDevice[],
  target: string,
  withdrawn: readonly AuditDraft[],
  now: Date,
): Promise<void> {
  const origins = originsOf(devices);
  for (const [organizationId, own] of [...origins, [target, devices] as const]) {
    const side = within(scope, organizationId);
    await announce(
      tx,
      side,
      'devices',
      own.map(({ id }) => id),
    );
    await announce(tx, side, 'groups', []);
    // Their eSIM profiles moved with their rows.
    await announce(tx, side, 'esims', []);
    await announce(tx, side, 'organizations', [organizationId]);
    const isTarget = organizationId === target;
    const named = own.map(({ id, serial, group_key }) => ({ id, serial, groupKey: isTarget ? DEFAULT_GROUP_KEY : group_key }));
    await raiseMembership(tx, side, actor, isTarget ? 'DEVICE_ADDED' : 'DEVICE_DELETED', named, now);
  }
  await announce(tx, scope, 'inventory', []);
  const names = await namesOf(tx, scope, [...origins.keys(), target]);
  const entries: AuditDraft[] = [
    ...withdrawn,
    ...[...origins].map(([chainId, own]) => ({
      chainId,
      event: eventOf(
        own,
        (serial) => sentence('device.given', serial),
        (count) => sentence('devices.given', count),
      ),
    })),
    {
      chainId: target,
      event: eventOf(
        devices,
        (serial) => sentence('device.received', serial),
        (count) => sentence('devices.received', count),
      ),
    },
    ...[...origins].map(([origin, own]) => ({
      chainId: scope.mainAccountId,
      event: eventOf(
        own,
        (serial) => sentence('device.transferred', serial, names.get(origin)!, names.get(target)!),
        (count) => sentence('devices.transferred', count, names.get(origin)!, names.get(target)!),
        { origin, target },
      ),
    })),
  ];
  for (const { chainId, event } of entries.sort((a, b) => (a.chainId < b.chainId ? -1 : a.chainId > b.chainId ? 1 : 0)))
    await recordAudit(tx, chainId, actor, event, now);
}

function eventOf(
  devices: readonly TransferableDevice[],
  ofOne: (serial: string) => AuditAction,
  ofMany: (count: number) => AuditAction,
  more: Readonly<Record<string, string>> = {},
): AuditEvent {
  const serials = devices.map(({ serial }) => serial).sort();
  const [only] = devices;
  const one = devices.length === 1 && only !== undefined;
  return {
    action: one ? ofOne(only.serial) : ofMany(devices.length),
    subject: { kind: 'device', id: one ? only.id : 'many' },
    detail: { ...describeMany(serials), ...more },
    devices: devices.map(({ id }) => id),
  };
}
