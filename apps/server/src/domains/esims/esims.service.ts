import type { ConnectionChange, ConnectionImpact, rollouts } from '@highline/contract';
import { DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { lockRoutersInOrder } from '../inventory/index.ts';
import { recordAudit, type AuditActor } from '../logs/index.ts';
import { rejectUnfitWindow } from '../windows/index.ts';
import { validateProfiles, addProfiles, type AddOutcome } from './adding.ts';
import { assertConfirmed, carrierChange, impactOf, vehicleOf } from './effects.ts';
import { changeEvent, profileEvent } from './esims.audit.ts';
import { findRouterOfProfiles, listRoutersOf } from './profile-routers.store.ts';
import { profilesOfRouters, requestUse, setStatus, updateProfile, type NewProfile } from './esims.store.ts';
import { isInUse, isUsable, isUseWaiting, nextOf, type OrderEffect } from './lineup.ts';
import { changeOf, rejectionOf, type ProfileEdit } from './profile-changes.ts';
import { type EsimServiceDeps, type Confirmation, STABLE_AFTER_MS, type Locked, lockProfile, taken } from './profile-lock.ts';
import { applyOrder, movesFor, orderEffect, lineup, switchChanges } from './profile-order.ts';
import { describeUseAuthor } from './use-author.ts';
import type { ProfileInput } from './validate-profile.ts';

/**
 * Add a profile to a router, which downloads it as soon as it can (SIM-07). It is placed below the one in use and is not used by
 * itself.
 * @throws DomainError `esim.*` and `request.invalid`, as in validate-profile.ts, with the text also as `detail`; `impact.changed`
 */
export async function addProfile(
  { database, clock, codes }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  input: ProfileInput,
  { dryRun, confirmed }: Confirmation = taken,
): Promise<{ readonly profile: NewProfile; readonly impact: ConnectionImpact }> {
  const now = clock.now();
  if (dryRun) {
    const { outcomes, changes } = await validateProfiles(database.read, codes, scope, [input]);
    return { profile: accepted(outcomes[0]), impact: impactOf(changes) };
  }
  return database.write(async (tx) => {
    const confirm = (changes: readonly ConnectionChange[]) => void assertConfirmed(changes, confirmed);
    const { outcomes, changes } = await addProfiles(tx, codes, scope, [input], now, confirm);
    const profile = accepted(outcomes[0]);
    await announce(tx, scope, 'esims', [profile.id]);
    await recordAudit(tx, scope.organizationId, actor, profileEvent('Added', profile), now);
    return { profile, impact: impactOf(changes) };
  });
}

/** @throws DomainError why it was not accepted */
function accepted(outcome: AddOutcome | undefined): NewProfile {
  if (outcome === undefined || 'fault' in outcome) throw rejectionOf(outcome);
  return outcome.profile;
}

/**
 * Change a profile (SIM-07). A save that changes nothing is not logged. A priority that makes another profile the first usable
 * one switches the router; another APN of the one in use reconnects it.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `esim.not_found`, `conflict.stale`, `esim.deleting`, `esim.iccid_fixed`, `esim.iccid_…`,
 * `esim.code_invalid`, `esim.code_fixed`, `esim.confirmation_required`, `esim.confirmation_fixed`, `request.invalid`, `impact.changed`
 */
export async function saveProfile(
  { database, clock, codes }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  pk: string,
  input: ProfileEdit,
  isCurrent: (version: number) => boolean,
  { dryRun, confirmed }: Confirmation = taken,
): Promise<ConnectionImpact> {
  const now = clock.now();
  return database.write(async (tx) => {
    const locked = await lockProfile(tx, scope, pk);
    const { row, others } = locked;
    if (!isCurrent(row.version)) throw new DomainError('conflict.stale');
    if (row.status === 'Deleting...') throw new DomainError('esim.deleting');
    const change = changeOf(row, input, codes);
    const moves = movesFor(locked, change.priority);
    const effect = moves.size === 0 ? unmoved : orderEffect(locked, moves);
    const changes = [...switchChanges(locked, effect), ...accessPointChanges(locked, change.apn)];
    const impact = assertConfirmed(changes, confirmed);
    if (dryRun || Object.keys(change).length === 0) return impact;
    const dueAt = new Date(now.getTime() + STABLE_AFTER_MS);
    await updateProfile(tx, scope, row.id, change, now, dueAt);
    moves.delete(row.id);
    await applyOrder(tx, scope, locked, moves, effect, describeUseAuthor(actor, 'esims.save'), now);
    await announce(tx, scope, 'esims', [row.id, ...others.flatMap(({ id }) => (moves.has(id) ? [id] : []))]);
    await recordAudit(tx, scope.organizationId, actor, changeEvent(row, change), now);
    return impact;
  });
}

const unmoved: OrderEffect = { type: 'none' };

function accessPointChanges(locked: Locked, apn: string | undefined): ConnectionChange[] {
  const { row, router } = locked;
  if (apn === undefined || !isInUse(lineup(locked), row.id)) return [];
  return [{ ...vehicleOf(router), kind: 'access-point', from: row.apn, to: apn }];
}

/**
 * Switch a router to one of its profiles: apart from a changed order the only way to do it. The router returns to the previous
 * one when it cannot connect.
 * @param window when it may switch (WIN-02); left out = now; null = a switch that waits is withdrawn
 * @throws DomainError `esim.not_found`, `esim.deleting`, `esim.switching`, `esim.not_on_router`, `impact.changed`, as rejectUnfitWindow
 */
export async function useProfile(
  { database, clock }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  pk: string,
  { dryRun, confirmed }: Confirmation = taken,
  window?: rollouts.UpdateWindow | null,
): Promise<ConnectionImpact> {
  const now = clock.now();
  if (window) await rejectUnfitWindow(database.read, scope, window);
  return database.write(async (tx) => {
    const locked = await lockProfile(tx, scope, pk);
    const { row, router } = locked;
    if (row.status === 'Deleting...') throw new DomainError('esim.deleting');
    if (window !== undefined) assertNotSwitching(locked, window);
    if (!isUsable(row) && row.status !== 'Fail to activate') throw new DomainError('esim.not_on_router', { field: 'profile' });
    const { inUse, expected } = lineup(locked);
    const isWithdrawn = window === null || (inUse?.id === row.id && expected === inUse);
    const isKept = isWithdrawn || expected?.id === row.id;
    const impact = assertConfirmed(isKept ? [] : [carrierChange(router, expected, row)], confirmed);
    if (dryRun) return impact;
    const use = { id: row.id, author: describeUseAuthor(actor, 'esims.use'), window: window ?? undefined };
    await requestUse(tx, scope, row.router_id, isWithdrawn ? undefined : use, now, now);
    await announce(tx, scope, 'esims', [row.id]);
    const verb = window === null ? 'Withdrew the switch to' : window === undefined ? 'Switched to' : 'Planned the switch to';
    await recordAudit(tx, scope.organizationId, actor, profileEvent(verb, row), now);
    return impact;
  });
}

/**
 * A switch that the router has begun can be neither planned nor withdrawn; one that waits can, also while the router does another.
 * @throws DomainError `esim.switching`
 */
function assertNotSwitching({ row, others }: Locked, window: rollouts.UpdateWindow | null): void {
  const isBegun = window === null && !isUseWaiting(row) && others.some(({ step }) => step === 'enable');
  if (row.step === 'enable' || isBegun) throw new DomainError('esim.switching', { field: 'profile' });
}

/** A SIM that its device is to leave. */
export interface SimOfDevice {
  readonly device_id: string;
  readonly iccid: string;
}

/**
 * Switch the routers of devices from the profiles with these ICCIDs to the next ones that can be used, within a transaction of the caller: for
 * what is done without a person (USE-03).
 * @param leftOut ICCIDs of profiles that are not to be used
 * @param later when they may switch (WIN-02); undefined = now. It takes the place of no other switch that waits
 * @returns of each 'started', or why not
 */
export async function switchToOthers(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  sims: readonly SimOfDevice[],
  now: Date,
  leftOut: ReadonlySet<string> = new Set(),
  later?: LaterSwitch,
): Promise<SwitchOutcome[]> {
  const locked = await lockRoutersOfDevices(
    tx,
    scope,
    sims.map(({ device_id: id }) => id),
  );
  const outcomes: SwitchOutcome[] = [];
  for (const sim of sims) outcomes.push(await switchToOther(tx, scope, actor, sim, { leftOut, later, locked }, now));
  return outcomes;
}

/** Lock the routers of devices, as every change of their profiles does. @returns their ids */
export async function lockRoutersOfDevices(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[]): Promise<string[]> {
  const routers = await listRoutersOf(tx, scope, deviceIds);
  await lockRoutersInOrder(tx, scope, routers);
  return routers;
}

type SwitchOutcome = 'started' | 'no_profile';

/** When routers may switch. */
interface LaterSwitch {
  readonly window: rollouts.UpdateWindow;
  /** When the switch is withdrawn if it has not begun. */
  readonly until: Date;
}

interface SwitchChoice {
  readonly leftOut: ReadonlySet<string>;
  readonly later: LaterSwitch | undefined;
  /** Ids of the routers. */
  readonly locked: readonly string[];
}

async function switchToOther(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  { device_id: deviceId, iccid }: SimOfDevice,
  { leftOut, later, locked }: SwitchChoice,
  now: Date,
): Promise<SwitchOutcome> {
  const router = await findRouterOfProfiles(tx, scope, deviceId);
  // Before its router was locked, the device was transferred or got another router.
  if (router === undefined || !locked.includes(router.routerId)) return 'no_profile';
  const rows = await profilesOfRouters(tx, scope, [router.routerId]);
  const [first] = rows;
  if (first === undefined) return 'no_profile';
  if (later !== undefined && rows.some((row) => isUseWaiting(row))) return 'no_profile';
  const { profiles, expected } = lineup({ router, row: first, others: rows.slice(1) });
  // Another profile is in use by now, or will be.
  if (expected !== undefined && expected.iccid !== iccid) return 'no_profile';
  const next = nextOf({ profiles }, expected, (number) => number === iccid || leftOut.has(number));
  const row = rows.find(({ id }) => id === next?.id);
  if (row === undefined) return 'no_profile';
  // At once it was allowed in this transaction; later it has to be still.
  const author = later === undefined ? null : describeUseAuthor(actor, 'esims.use', later.until);
  await requestUse(tx, scope, row.router_id, { id: row.id, author, window: later?.window }, now, now);
  await announce(tx, scope, 'esims', [row.id]);
  await recordAudit(
    tx,
    scope.organizationId,
    actor,
    profileEvent(later === undefined ? 'Switched to' : 'Planned the switch to', row),
    now,
  );
  return 'started';
}

const failed: ReadonlySet<string> = new Set(['Fail to download', 'Out of memory']);

/**
 * Retry a failed profile on its router: 'Assigning...' at once (SIM-03).
 * @throws DomainError `esim.not_found`, `esim.deleting`, `esim.not_failed`
 */
export async function resumeProfile(
  { database, clock }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  pk: string,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const { row } = await lockProfile(tx, scope, pk);
    if (row.status === 'Deleting...') throw new DomainError('esim.deleting');
    if (!failed.has(row.status)) throw new DomainError('esim.not_failed');
    await setStatus(tx, scope, row.id, 'Assigning...', now);
    await announce(tx, scope, 'esims', [row.id]);
    await recordAudit(tx, scope.organizationId, actor, profileEvent('Tried again', row), now);
  });
}
