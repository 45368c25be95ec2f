import type { ConnectionChange, ConnectionImpact, rollouts } from '@highline/contract';
import { isPreloadedCode, normalizeIccid, parseActivationCode, type ActivationCode } from '@highline/usp';
import { DomainError, isId, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { rejectUnfitWindow } from '../windows/index.ts';
import { lockRoutersInOrder } from '../inventory/index.ts';
import { recordAudit, type AuditActor } from '../logs/index.ts';
import { validateProfiles, addProfiles, type AddOutcome } from './adding.ts';
import type { CodeSeal } from './code.seal.ts';
import { confirmationOf } from './confirmation.ts';
import { assertConfirmed, carrierChange, impactOf, labelOf, vehicleOf } from './effects.ts';
import { changeEvent, orderEvent, profileEvent } from './esims.audit.ts';
import {
  deleteProfileRow,
  findRouterOfProfiles,
  movePriorities,
  profilesOfRouters,
  requestUse,
  routerOfProfile,
  setStatus,
  updateProfile,
  type FoundRouter,
  type LockedProfile,
  type NewProfile,
  type ProfileChange,
} from './esims.store.ts';
import { validateIccid, type ProfileInput } from './validate-profile.ts';
import { effectOfOrder, isUsable, lineupOf, successorOf, type Lineup, type OrderEffect } from './lineup.ts';
import { swapPriority } from './slots.ts';
import { codeOf } from './profile.dto.ts';

export interface EsimServiceDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Encrypts activation codes under the installation's master key. */
  readonly codes: CodeSeal;
}

/** A page saves its cards one after another: the order is sent to the router after this quiet time. */
const STABLE_AFTER_MS = 2_000;

/** Options of an action that changes connections. */
export interface Confirmation {
  /** Check only, write nothing. */
  readonly dryRun: boolean;
  /** The `confirmation` of the impact that the user has seen; undefined = no preview was requested. */
  readonly confirmed: string | undefined;
}

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

/** For API clients that request no preview. */
const taken: Confirmation = { dryRun: false, confirmed: undefined };

/** @throws DomainError why it was not accepted */
function accepted(outcome: AddOutcome | undefined): NewProfile {
  if (outcome === undefined || 'fault' in outcome) throw rejection(outcome);
  return outcome.profile;
}

/** Field names of the API, by the validator's names. */
const apiFields: { readonly [name: string]: string } = { code: 'ac', confirmation: 'confirmationCode' };

function rejection(outcome: AddOutcome | undefined): DomainError {
  if (outcome === undefined || !('fault' in outcome)) return new DomainError('esim.serial_unknown');
  const { fault, field, message, doubt } = outcome;
  const plain = new DomainError(fault, message === undefined ? {} : { message });
  return new DomainError(fault, { ...plain.more, field: apiFields[field] ?? field, detail: doubt ?? plain.message });
}

/** A requested change; omitted fields stay. */
export interface ProfileEdit {
  readonly name?: string | undefined;
  readonly apn1?: string | undefined;
  readonly apn2?: string | undefined;
  readonly priority?: number | undefined;
  readonly ac?: string | undefined;
  /** '' = unchanged. */
  readonly confirmationCode?: string | undefined;
  readonly iccid?: string | undefined;
  /** The ICCID as a person has confirmed it. */
  readonly iccidConfirmed?: string | undefined;
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
  actor: AuditActor,
  pk: string,
  input: ProfileEdit,
  isCurrent: (version: number) => boolean,
  { dryRun, confirmed }: Confirmation = taken,
): Promise<ConnectionImpact> {
  const now = clock.now();
  return database.write(async (tx) => {
    const locked = await lock(tx, scope, pk);
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
    await applyOrder(tx, scope, locked, moves, effect, now);
    await announce(tx, scope, 'esims', [row.id, ...others.flatMap(({ id }) => (moves.has(id) ? [id] : []))]);
    await recordAudit(tx, scope.organizationId, actor, changeEvent(row, change), now);
    return impact;
  });
}

const unmoved: OrderEffect = { type: 'none' };

/** The new priorities of a profile and of the one it swaps with. */
function movesFor({ row, others }: Locked, priority: number | undefined): Map<string, number> {
  if (priority === undefined) return new Map();
  const moved = swapPriority([row, ...others], row.id, priority);
  return new Map([[row.id, priority], ...(moved === undefined ? [] : [[moved.id, moved.priority] as const])]);
}

function orderEffect(locked: Locked, moves: ReadonlyMap<string, number>): OrderEffect {
  return effectOfOrder(lineup(locked), lineup(locked, moves));
}

function lineup({ row, others, router }: Locked, moves: ReadonlyMap<string, number> = new Map()): Lineup {
  const rows = [row, ...others].map((each) => ({ ...each, priority: moves.get(each.id) ?? each.priority }));
  return lineupOf(rows, router.reported);
}

function switchChanges(locked: Locked, effect: OrderEffect): ConnectionChange[] {
  return effect.type === 'switch' ? [carrierChange(locked.router, lineup(locked).inUse, effect.to)] : [];
}

function accessPointChanges(locked: Locked, apn: string | undefined): ConnectionChange[] {
  const { row, router } = locked;
  if (apn === undefined || lineup(locked).inUse?.id !== row.id) return [];
  return [{ ...vehicleOf(router), kind: 'access-point', from: row.apn, to: apn }];
}

/** Write an order and its effect on the profile in use. */
async function applyOrder(
  tx: Tx,
  scope: OrganizationScope,
  { row: { router_id: routerId } }: Locked,
  moves: ReadonlyMap<string, number>,
  effect: OrderEffect,
  now: Date,
): Promise<void> {
  const dueAt = new Date(now.getTime() + STABLE_AFTER_MS);
  await movePriorities(tx, scope, moves, now, dueAt);
  if (effect.type === 'switch') await requestUse(tx, scope, routerId, effect.to.id, now, dueAt);
  if (effect.type === 'keep') await requestUse(tx, scope, routerId, undefined, now, dueAt);
}

/**
 * Reorder the profiles of one router, all at once (SIM-06).
 * @param order profiles of one router, with the number of each; those that are left out keep theirs
 * @returns the ids of its profiles, and the effect on the connection
 * @throws DomainError `esim.not_found`, `esim.deleting`, `esim.order_incomplete`, `impact.changed`
 */
export async function orderProfiles(
  { database, clock }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  order: readonly { readonly profile: string; readonly priority: number }[],
  { dryRun, confirmed }: Confirmation = taken,
): Promise<{ readonly ids: readonly string[]; readonly impact: ConnectionImpact }> {
  const now = clock.now();
  return database.write(async (tx) => {
    const locked = await lock(tx, scope, order[0]!.profile);
    const all = [locked.row, ...locked.others];
    const numbers = new Map(order.map(({ profile, priority }) => [profile.toLowerCase(), priority]));
    assertOrder(all, order.length, numbers);
    const moves = movesOfOrder(all, numbers);
    const effect = orderEffect(locked, moves);
    const impact = assertConfirmed(switchChanges(locked, effect), confirmed);
    const ids = all.map(({ id }) => id);
    if (dryRun || moves.size === 0) return { ids, impact };
    await applyOrder(tx, scope, locked, moves, effect, now);
    await announce(tx, scope, 'esims', ids);
    await recordAudit(tx, scope.organizationId, actor, orderEvent(all, numbers), now);
    return { ids, impact };
  });
}

/** @throws DomainError `esim.not_found` for a profile of another router, `esim.deleting`, `esim.order_incomplete` */
function assertOrder(all: readonly LockedProfile[], count: number, numbers: ReadonlyMap<string, number>): void {
  const known = new Map(all.map((row) => [row.id, row]));
  for (const id of numbers.keys()) if (!known.has(id)) throw new DomainError('esim.not_found', { field: 'order' });
  for (const id of numbers.keys()) if (known.get(id)!.status === 'Deleting...') throw new DomainError('esim.deleting');
  if (numbers.size < count || new Set(numbers.values()).size < count)
    throw new DomainError('esim.order_incomplete', { field: 'order' });
}

/** New numbers; a profile that is left out and whose number is given to another moves to the end. */
function movesOfOrder(all: readonly LockedProfile[], numbers: ReadonlyMap<string, number>): Map<string, number> {
  const taken = new Set(numbers.values());
  const moves = new Map(numbers);
  for (const { id, priority } of all) {
    if (numbers.has(id)) continue;
    let free = priority;
    if (taken.has(free)) for (free = all.length + 1; taken.has(free);) free += 1;
    taken.add(free);
    moves.set(id, free);
  }
  return new Map(all.flatMap(({ id, priority }) => (moves.get(id) === priority ? [] : [[id, moves.get(id)!] as const])));
}

/**
 * Switch a router to one of its profiles: apart from a changed order the only way to do it. The router returns to the previous
 * one when it cannot connect.
 * @param window when it may switch (WIN-02); left out = now; null = a switch that waits is withdrawn
 * @throws DomainError `esim.not_found`, `esim.deleting`, `esim.not_on_router`, `impact.changed`, as rejectUnfitWindow
 */
export async function useProfile(
  { database, clock }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  pk: string,
  { dryRun, confirmed }: Confirmation = taken,
  window?: rollouts.UpdateWindow | null,
): Promise<ConnectionImpact> {
  const now = clock.now();
  if (window) await rejectUnfitWindow(database.read, scope, window);
  return database.write(async (tx) => {
    const locked = await lock(tx, scope, pk);
    const { row, router } = locked;
    if (row.status === 'Deleting...') throw new DomainError('esim.deleting');
    if (!isUsable(row) && row.status !== 'Fail to activate') throw new DomainError('esim.not_on_router', { field: 'profile' });
    const { inUse } = lineup(locked);
    const isWithdrawn = window === null || inUse?.id === row.id;
    const impact = assertConfirmed(isWithdrawn ? [] : [carrierChange(router, inUse, row)], confirmed);
    if (dryRun) return impact;
    await requestUse(tx, scope, row.router_id, isWithdrawn ? undefined : row.id, now, now, window ?? undefined);
    await announce(tx, scope, 'esims', [row.id]);
    const verb = window === null ? 'Withdrew the switch to' : window === undefined ? 'Switched to' : 'Planned the switch to';
    await recordAudit(tx, scope.organizationId, actor, profileEvent(verb, row), now);
    return impact;
  });
}

/**
 * Switch the router of a device from the profile with this ICCID to the next one that can be used, within a transaction of the caller: for what is
 * done without a person (USE-03).
 * @returns 'started', or why not
 */
export async function switchToOther(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  deviceId: string,
  iccid: string,
  now: Date,
): Promise<'started' | 'no_profile'> {
  const router = await findRouterOfProfiles(tx, scope, deviceId);
  const rows = await profilesOfRouters(tx, scope, [router.routerId]);
  const [first] = rows;
  if (first === undefined) return 'no_profile';
  const { inUse, ...rest } = lineup({ router, row: first, others: rows.slice(1) });
  // Another profile is in use by now.
  if (inUse !== undefined && inUse.iccid !== iccid) return 'no_profile';
  const next = successorOf({ inUse, ...rest }, inUse?.id ?? '');
  const row = rows.find(({ id }) => id === next?.id);
  if (row === undefined) return 'no_profile';
  await requestUse(tx, scope, row.router_id, row.id, now, now);
  await announce(tx, scope, 'esims', [row.id]);
  await recordAudit(tx, scope.organizationId, actor, profileEvent('Switched to', row), now);
  return 'started';
}

/** The effective change; empty when nothing changes. */
function changeOf(row: LockedProfile, input: ProfileEdit, codes: CodeSeal): ProfileChange {
  const { name, apn1: apn, apn2, priority } = input;
  if (apn === '' && row.apn !== '') throw new DomainError('request.invalid', { message: 'APN1 is required.', field: 'apn1' });
  return {
    ...(name === undefined || name === row.name || row.is_preloaded ? {} : { name }),
    ...(apn === undefined || apn === row.apn ? {} : { apn }),
    ...(apn2 === undefined || apn2 === row.apn2 ? {} : { apn2 }),
    ...(priority === undefined || priority === row.priority ? {} : { priority }),
    ...iccidChange(row, input),
    ...codesChange(row, input, codes),
  };
}

/** Only for a preloaded profile that could not be set up, because its ICCID was typed wrong. */
function iccidChange(
  row: LockedProfile,
  { iccid: typed, iccidConfirmed }: Pick<ProfileEdit, 'iccid' | 'iccidConfirmed'>,
): Pick<ProfileChange, 'iccid'> {
  if (typed === undefined || typed === row.iccid || normalizeIccid(typed) === row.iccid) return {};
  if (!row.is_preloaded || row.status !== 'Fail to download') throw new DomainError('esim.iccid_fixed', { field: 'iccid' });
  const iccid = validateIccid(typed, iccidConfirmed);
  if (typeof iccid !== 'string') throw rejection(iccid);
  return iccid === row.iccid ? {} : { iccid };
}

/** Only for a profile that is neither on its router nor on the way there. A confirmation code belongs to its activation code. */
function codesChange(
  row: LockedProfile,
  { ac, confirmationCode }: ProfileEdit,
  codes: CodeSeal,
): Pick<ProfileChange, 'sealed_code' | 'sealed_confirmation'> {
  const code = newCode(row, ac, codes);
  if (code === undefined) return confirmationChange(row, confirmationCode, codes);
  const confirmation = confirmationOf(code, confirmationCode);
  if (confirmation === undefined) throw new DomainError('esim.confirmation_required', { field: 'confirmationCode' });
  const isBare = confirmation === null && row.sealed_confirmation === null;
  return {
    sealed_code: codes.seal(row.id, code.text),
    ...(isBare ? {} : { sealed_confirmation: sealConfirmation(row, confirmation, codes) }),
  };
}

const isOpen = (row: LockedProfile) => !row.is_preloaded && row.path === null && row.step === null;

/** @returns undefined when it is unchanged */
function newCode(row: LockedProfile, typed: string | undefined, codes: CodeSeal): ActivationCode | undefined {
  if (typed === undefined || typed === '') return undefined;
  if (row.is_preloaded && isPreloadedCode(typed)) return undefined;
  const code = parseActivationCode(typed);
  if (code !== undefined && code.text === codeOf(row, codes)) return undefined;
  if (!isOpen(row)) throw new DomainError('esim.code_fixed', { field: 'ac' });
  if (code === undefined) throw new DomainError('esim.code_invalid', { field: 'ac' });
  return code;
}

function confirmationChange(
  row: LockedProfile,
  typed: string | undefined,
  codes: CodeSeal,
): Pick<ProfileChange, 'sealed_confirmation'> {
  if (typed === undefined || typed === '') return {};
  const { id, sealed_code: code, sealed_confirmation: sealed } = row;
  if (sealed !== null && codes.confirmation.open(id, sealed) === typed) return {};
  if (!isOpen(row) || code === null) throw new DomainError('esim.confirmation_fixed', { field: 'confirmationCode' });
  return { sealed_confirmation: sealConfirmation(row, typed, codes) };
}

function sealConfirmation({ id }: LockedProfile, text: string | null, codes: CodeSeal): Buffer | null {
  return text === null ? null : codes.confirmation.seal(id, text);
}

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
    const locked = await lock(tx, scope, pk);
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
  if (row.status === 'Deleting...' || all.inUse?.id !== row.id) return [];
  const next = successorOf(all, row.id);
  if (next !== undefined) return [carrierChange(router, row, next)];
  return [{ ...vehicleOf(router), kind: 'unreachable', from: labelOf(row), to: '' }];
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
    const { row } = await lock(tx, scope, pk);
    if (row.status === 'Deleting...') throw new DomainError('esim.deleting');
    if (!failed.has(row.status)) throw new DomainError('esim.not_failed');
    await setStatus(tx, scope, row.id, 'Assigning...', now);
    await announce(tx, scope, 'esims', [row.id]);
    await recordAudit(tx, scope.organizationId, actor, profileEvent('Tried again', row), now);
  });
}

interface Locked {
  readonly router: FoundRouter;
  readonly row: LockedProfile;
  /** The others of its router. */
  readonly others: readonly LockedProfile[];
}

/** Lock the router of a profile and read its profiles. @throws DomainError `esim.not_found`, also for an invalid id */
async function lock(tx: Tx, scope: OrganizationScope, pk: string): Promise<Locked> {
  const routerId = isId(pk) ? await routerOfProfile(tx, scope, pk) : undefined;
  if (routerId !== undefined) {
    await lockRoutersInOrder(tx, scope, [routerId]);
    const rows = await profilesOfRouters(tx, scope, [routerId]);
    const row = rows.find(({ id }) => id === pk.toLowerCase());
    if (row !== undefined) {
      const router = await findRouterOfProfiles(tx, scope, row.device_id);
      return { router, row, others: rows.filter((other) => other !== row) };
    }
  }
  throw new DomainError('esim.not_found', { field: 'profile' });
}
