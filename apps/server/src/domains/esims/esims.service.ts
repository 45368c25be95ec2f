import { isPreloadedCode, normalizeIccid, parseActivationCode, type ActivationCode } from '@highline/usp';
import { DomainError } from '../../failure.ts';
import { isId } from '../../ids.ts';
import { announce } from '../../live/announce.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database, Tx } from '../../ports/database.ts';
import type { OrganizationScope } from '../../scope.ts';
import { lockRoutersInOrder } from '../inventory/index.ts';
import { recordAudit, type AuditActor } from '../logs/index.ts';
import { placeProfiles } from './adding.ts';
import type { CodeSeal } from './code.seal.ts';
import { confirmationOf } from './confirmation.ts';
import { changeEvent, profileEvent } from './esims.audit.ts';
import {
  deleteProfileRow,
  forgiveActivations,
  movePriority,
  profilesOfRouters,
  routerOfProfile,
  setStatus,
  updateProfile,
  type LockedProfile,
  type ProfileChange,
} from './esims.store.ts';
import type { WantedProfile } from './judge.ts';
import { displaced } from './places.ts';
import { codeOf } from './profile.wire.ts';

export interface EsimServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Seals activation codes under the installation's master key. */
  readonly codes: CodeSeal;
}

/** A page saves its cards one after another: the router is told the order when it has stood for so long. */
const SETTLE_MS = 2_000;

/**
 * Give a router a profile, which it downloads as soon as it can (SIM-07).
 * @returns its pk
 * @throws DomainError `esim.*` and `request.invalid`, as judge.ts finds them, with the text also as `detail`
 */
export async function addProfile(
  { database, clock, codes }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  wanted: WantedProfile,
): Promise<string> {
  const now = clock.now();
  return database.write(async (tx) => {
    const [outcome] = await placeProfiles(tx, codes, scope, [wanted], now);
    if (outcome === undefined || 'fault' in outcome) throw refusal(outcome);
    const { profile } = outcome;
    await announce(tx, scope, 'esims', [profile.id]);
    await recordAudit(tx, scope.organizationId, actor, profileEvent('Added', profile), now);
    return profile.id;
  });
}

/** Fields of the wire, by how the judge names them. */
const wireFields: { readonly [name: string]: string } = { code: 'ac', confirmation: 'confirmationCode' };

function refusal(outcome: Awaited<ReturnType<typeof placeProfiles>>[number] | undefined): DomainError {
  if (outcome === undefined || !('fault' in outcome)) return new DomainError('esim.serial_unknown');
  const { fault, field, message } = outcome;
  const plain = new DomainError(fault, message === undefined ? {} : { message });
  return new DomainError(fault, { ...plain.more, field: wireFields[field] ?? field, detail: plain.message });
}

/** What somebody wants to be otherwise; what is left out stays. */
export interface WantedChange {
  readonly name?: string | undefined;
  readonly apn1?: string | undefined;
  readonly apn2?: string | undefined;
  readonly priority?: number | undefined;
  readonly ac?: string | undefined;
  /** '' = as it is. */
  readonly confirmationCode?: string | undefined;
  readonly iccid?: string | undefined;
}

/**
 * Change a profile (SIM-07). A save that changes nothing leaves no trace.
 * @param isCurrent whether the version the caller saw is the one that stands, from If-Match
 * @throws DomainError `esim.not_found`, `conflict.stale`, `esim.deleting`, `esim.iccid_fixed`, `esim.iccid_invalid`,
 * `esim.code_invalid`, `esim.confirmation_required`, `esim.confirmation_fixed`, `request.invalid`
 */
export async function saveProfile(
  { database, clock, codes }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  pk: string,
  wanted: WantedChange,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const { row, others } = await hold(tx, scope, pk);
    if (!isCurrent(row.version)) throw new DomainError('conflict.stale');
    if (row.status === 'Deleting...') throw new DomainError('esim.deleting');
    const change = changeOf(row, wanted, codes);
    if (Object.keys(change).length === 0) return;
    const dueAt = new Date(now.getTime() + SETTLE_MS);
    await updateProfile(tx, scope, row.id, change, now, dueAt);
    const moved = change.priority === undefined ? undefined : displaced([row, ...others], row.id, change.priority);
    if (moved !== undefined) await movePriority(tx, scope, moved.id, moved.priority, now, dueAt);
    if (change.priority !== undefined) await forgiveActivations(tx, scope, row.router_id, now);
    await announce(tx, scope, 'esims', [row.id, ...(moved === undefined ? [] : [moved.id])]);
    await recordAudit(tx, scope.organizationId, actor, changeEvent(row, change), now);
  });
}

/** What a change comes to; empty when everything is so already. */
function changeOf(row: LockedProfile, wanted: WantedChange, codes: CodeSeal): ProfileChange {
  const { name, apn1: apn, apn2, priority } = wanted;
  if (apn === '' && row.apn !== '') throw new DomainError('request.invalid', { message: 'APN1 is required.', field: 'apn1' });
  return {
    ...(name === undefined || name === row.name || row.is_preloaded ? {} : { name }),
    ...(apn === undefined || apn === row.apn ? {} : { apn }),
    ...(apn2 === undefined || apn2 === row.apn2 ? {} : { apn2 }),
    ...(priority === undefined || priority === row.priority ? {} : { priority }),
    ...iccidChange(row, wanted.iccid),
    ...codesChange(row, wanted, codes),
  };
}

/** Only that of a preloaded profile that could not be set up, since it was typed wrong then. */
function iccidChange(row: LockedProfile, typed: string | undefined): Pick<ProfileChange, 'iccid'> {
  if (typed === undefined || typed === row.iccid) return {};
  const iccid = normalizeIccid(typed);
  if (iccid === row.iccid) return {};
  if (!row.is_preloaded || row.status !== 'Fail to download') throw new DomainError('esim.iccid_fixed', { field: 'iccid' });
  if (iccid === undefined) throw new DomainError('esim.iccid_invalid', { field: 'iccid' });
  return { iccid };
}

/** Only of a profile that is neither on its router nor on the way there. A confirmation code goes with the code it was given for. */
function codesChange(
  row: LockedProfile,
  { ac, confirmationCode }: WantedChange,
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

/** @returns undefined when it stays as it is */
function newCode(row: LockedProfile, typed: string | undefined, codes: CodeSeal): ActivationCode | undefined {
  if (typed === undefined || typed === '') return undefined;
  if (row.is_preloaded && isPreloadedCode(typed)) return undefined;
  const code = parseActivationCode(typed);
  if (code !== undefined && code.text === codeOf(row, codes)) return undefined;
  if (code === undefined || !isOpen(row)) throw new DomainError('esim.code_invalid', { field: 'ac' });
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
 * Have a router delete a profile (SIM-08): 'Deleting...' until it says that it has. One that never came to its router goes at once.
 * A second call changes nothing.
 * @returns the profile as it was
 * @throws DomainError `esim.not_found`, `esim.is_preloaded`
 */
export async function removeProfile(
  { database, clock }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  pk: string,
): Promise<LockedProfile> {
  const now = clock.now();
  return database.write(async (tx) => {
    const { row } = await hold(tx, scope, pk);
    if (row.is_preloaded) throw new DomainError('esim.is_preloaded');
    if (row.status === 'Deleting...') return row;
    if (row.path === null && row.step === null) await deleteProfileRow(tx, scope, row.id);
    else await setStatus(tx, scope, row.id, 'Deleting...', now);
    await announce(tx, scope, 'esims', [row.id]);
    await recordAudit(tx, scope.organizationId, actor, profileEvent('Deleted', row), now);
    return row;
  });
}

const failed: ReadonlySet<string> = new Set(['Fail to download', 'Fail to activate', 'Out of memory']);

/**
 * Have a router try a profile again that failed: 'Assigning...' at once (SIM-03).
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
    const { row } = await hold(tx, scope, pk);
    if (row.status === 'Deleting...') throw new DomainError('esim.deleting');
    if (!failed.has(row.status)) throw new DomainError('esim.not_failed');
    await setStatus(tx, scope, row.id, 'Assigning...', now);
    await announce(tx, scope, 'esims', [row.id]);
    await recordAudit(tx, scope.organizationId, actor, profileEvent('Tried again', row), now);
  });
}

interface Held {
  readonly row: LockedProfile;
  /** The others of its router. */
  readonly others: readonly LockedProfile[];
}

/** Hold the router of a profile and read what stands there. @throws DomainError `esim.not_found`, also for what is no id */
async function hold(tx: Tx, scope: OrganizationScope, pk: string): Promise<Held> {
  const routerId = isId(pk) ? await routerOfProfile(tx, scope, pk) : undefined;
  if (routerId !== undefined) {
    await lockRoutersInOrder(tx, scope, [routerId]);
    const rows = await profilesOfRouters(tx, scope, [routerId]);
    const row = rows.find(({ id }) => id === pk.toLowerCase());
    if (row !== undefined) return { row, others: rows.filter((other) => other !== row) };
  }
  throw new DomainError('esim.not_found', { field: 'profile' });
}
