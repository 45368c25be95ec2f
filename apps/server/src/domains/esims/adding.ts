import type { ConnectionChange } from '@highline/contract';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { lockRoutersInOrder, storedSerials } from '../inventory/index.ts';
import type { CodeSeal } from './code.seal.ts';
import { findRoutersBySerial, type FoundRouter } from './profile-routers.store.ts';
import { movePriorities } from './profile-moves.store.ts';
import { insertProfiles, profilesOfRouters, type LockedProfile, type NewProfile } from './esims.store.ts';
import { carrierChange, vehicleOf } from './effects.ts';
import {
  validateProfile,
  type AcceptedProfile,
  type LockedSlot,
  type ProfileFault,
  type ProfileInput,
} from './validate-profile.ts';
import { insertBelowInUse, isUseRequested, lineupOf, PLACEHOLDER, type Insertion } from './lineup.ts';

/** The added profile, or the fault. */
export type AddOutcome = { readonly profile: NewProfile } | ProfileFault;

/** The result of adding: an outcome per requested profile in their order, and the changes to vehicle connections. */
export interface Adding {
  readonly outcomes: readonly AddOutcome[];
  readonly changes: readonly ConnectionChange[];
}

/** A router whose profiles are counted as they are added. */
interface OpenHome extends FoundRouter {
  /** For a router that did not report its own, the EID of the first row applies to the others. */
  eid: string | null;
  /** As stored in the table. */
  readonly before: readonly LockedSlot[];
  slots: readonly LockedSlot[];
}

/** Validate requested profiles against their routers, each with those before it, without changing anything. */
export async function validateProfiles(
  queries: Queries,
  seal: CodeSeal,
  scope: OrganizationScope,
  inputs: readonly ProfileInput[],
): Promise<Adding> {
  const stored = await withStoredSerials(queries, scope, inputs);
  const routers = await findRoutersBySerial(queries, scope, [...new Set(stored.map(({ serial }) => serial))]);
  return addingTo(await openTargets(queries, seal, scope, routers), seal, stored, Date.now());
}

/**
 * Add the requested profiles to routers of the organization. The caller audits and announces.
 * @param confirm throws when the changes to connections are not those the user confirmed; nothing is stored then
 */
export async function addProfiles(
  tx: Tx,
  seal: CodeSeal,
  scope: OrganizationScope,
  inputs: readonly ProfileInput[],
  now: Date,
  confirm: (changes: readonly ConnectionChange[]) => void,
): Promise<Adding> {
  const stored = await withStoredSerials(tx, scope, inputs);
  const serials = [...new Set(stored.map(({ serial }) => serial))];
  const seen = await findRoutersBySerial(tx, scope, serials);
  await lockRoutersInOrder(
    tx,
    scope,
    [...seen.values()].map(({ routerId }) => routerId),
  );
  // Read again under the lock: a router may have moved to another organization meanwhile.
  const targets = await openTargets(tx, seal, scope, await findRoutersBySerial(tx, scope, [...seen.keys()]));
  const adding = addingTo(targets, seal, stored, now.getTime());
  confirm(adding.changes);
  for (const home of targets.values()) await movePriorities(tx, scope, movesOf(home), now, now);
  await insertProfiles(
    tx,
    scope,
    adding.outcomes.flatMap((outcome) => ('profile' in outcome ? [outcome.profile] : [])),
    now,
  );
  return adding;
}

/** Serial numbers are typed in any case. */
async function withStoredSerials(
  queries: Queries,
  scope: OrganizationScope,
  inputs: readonly ProfileInput[],
): Promise<ProfileInput[]> {
  const stored = await storedSerials(
    queries,
    scope,
    inputs.map(({ serial }) => serial),
  );
  return inputs.map((input) => ({ ...input, serial: stored.get(input.serial) ?? input.serial }));
}

/** Add each to the present profiles of its router. Changes only `targets`. */
function addingTo(targets: ReadonlyMap<string, OpenHome>, seal: CodeSeal, inputs: readonly ProfileInput[], at: number): Adding {
  const validated = inputs.map((each) => {
    const home = targets.get(each.serial);
    const accepted = validateProfile(each, home);
    if ('fault' in accepted || home === undefined) return accepted as ProfileFault;
    const id = newId(at);
    take(home, accepted, id);
    return { home, accepted, id };
  });
  // The final positions are known once all of them are added.
  const outcomes = validated.map((each) =>
    'fault' in each ? each : { profile: newProfile(seal, each.home, each.accepted, each.id) },
  );
  const changes = validated.flatMap((each) => ('fault' in each ? [] : accessPointChange(each.home, each.accepted)));
  return { outcomes, changes: [...[...targets.values()].flatMap((home) => switchOf(home)), ...changes] };
}

/** A router that is switched because of an added profile. The engine switches routers by the same rule. */
function switchOf(home: OpenHome): ConnectionChange[] {
  const [before, after] = [home.before, home.slots].map((slots) => slots.find((slot) => isUseRequested(slot)));
  if (after === undefined || after.id === before?.id) return [];
  return [carrierChange(home, lineupOf(home.slots, home.reported).expected, after)];
}

/** Setting up the preloaded profile gives it an access point; if it is in use, the router reconnects with it. */
function accessPointChange(home: OpenHome, { isPreloaded, apn }: AcceptedProfile): ConnectionChange[] {
  const own = home.reported?.profiles.find(({ preloaded, active }) => preloaded && active);
  if (!isPreloaded || own === undefined || own.apn === null || own.apn === apn) return [];
  return [{ ...vehicleOf(home), kind: 'access-point', from: own.apn, to: apn }];
}

/**
 * A new profile is placed below the one in use; the preloaded one that was not set up keeps its position, unless a priority was
 * requested.
 */
function insertionOf(home: OpenHome, { isPreloaded, priority }: AcceptedProfile): Insertion {
  const lineup = lineupOf(home.slots, home.reported);
  if (!isPreloaded) return insertBelowInUse(lineup, priority);
  const profiles = lineup.profiles.filter(({ id }) => id !== PLACEHOLDER);
  const slot = lineup.profiles.find(({ id }) => id === PLACEHOLDER)?.priority;
  return insertBelowInUse({ ...lineup, profiles }, priority ?? slot);
}

/** New priorities of profiles that were in the table before. */
function movesOf({ before, slots }: OpenHome): Map<string, number> {
  const numbers = new Map(slots.map(({ id, priority }) => [id, priority]));
  return new Map(before.flatMap(({ id, priority }) => (numbers.get(id) === priority ? [] : [[id, numbers.get(id)!] as const])));
}

function newProfile(
  seal: CodeSeal,
  home: OpenHome,
  { code, confirmation, ...accepted }: AcceptedProfile,
  id: string,
): NewProfile {
  const { deviceId, routerId, serial } = home;
  const priority = home.slots.find((slot) => slot.id === id)!.priority;
  const sealedCode = code === null ? null : seal.seal(id, code);
  const sealedConfirmation = confirmation === null ? null : seal.confirmation.seal(id, confirmation);
  return { ...accepted, id, deviceId, routerId, serial, sealedCode, sealedConfirmation, priority };
}

/** The next one is validated against this one too. */
function take(home: OpenHome, accepted: AcceptedProfile, id: string): void {
  const { eid, code, iccid, isPreloaded, name } = accepted;
  const { priority, moves } = insertionOf(home, accepted);
  const others = home.slots.map((slot) => ({ ...slot, priority: moves.get(slot.id) ?? slot.priority }));
  const own = { id, iccid, code: code ?? '', is_preloaded: isPreloaded, priority, name, carrier: '', path: null };
  home.eid = eid;
  home.slots = [...others, { ...own, status: 'Assigning...' }];
}

async function openTargets(
  queries: Queries,
  seal: CodeSeal,
  scope: OrganizationScope,
  routers: ReadonlyMap<string, FoundRouter>,
): Promise<Map<string, OpenHome>> {
  const found = [...routers.values()];
  const rows = await profilesOfRouters(
    queries,
    scope,
    found.map(({ routerId }) => routerId),
  );
  const byRouter = Map.groupBy(rows, (row) => row.router_id);
  return new Map(found.map((router) => [router.serial, openHome(seal, router, byRouter.get(router.routerId) ?? [])]));
}

function openHome(seal: CodeSeal, router: FoundRouter, rows: readonly LockedProfile[]): OpenHome {
  const typed = rows.find(({ eid }) => eid !== '')?.eid ?? null;
  const slots = rows.map((row) => slotOf(seal, row));
  return { ...router, eid: router.reportedEid ?? typed, before: slots, slots };
}

function slotOf(seal: CodeSeal, row: LockedProfile): LockedSlot {
  const { id, sealed_code: sealed } = row;
  return { ...row, code: sealed === null ? '' : seal.open(id, sealed) };
}
