import { newId } from '../../ids.ts';
import type { Queries, Tx } from '../../ports/database.ts';
import type { OrganizationScope } from '../../scope.ts';
import { lockRoutersInOrder } from '../inventory/index.ts';
import type { CodeSeal } from './code.seal.ts';
import {
  findRoutersBySerial,
  insertProfiles,
  movePriority,
  profilesOfRouters,
  type FoundRouter,
  type LockedProfile,
  type NewProfile,
} from './esims.store.ts';
import { judgeProfile, type AcceptedProfile, type HeldPlace, type ProfileFault, type WantedProfile } from './judge.ts';
import { displaced, freePriority } from './places.ts';

/** Added, or why not. */
export type AddOutcome = { readonly profile: NewProfile } | ProfileFault;

/** A router whose profiles are counted up as they are added. */
interface OpenHome extends FoundRouter {
  /** What the first of them says of a router that did not tell its own holds for the others. */
  eid: string | null;
  readonly places: HeldPlace[];
}

/** Hold wanted profiles against their routers, each with those before it, without changing anything. @returns one per profile */
export async function judgeProfiles(
  queries: Queries,
  seal: CodeSeal,
  scope: OrganizationScope,
  wanted: readonly WantedProfile[],
): Promise<(AcceptedProfile | ProfileFault)[]> {
  const routers = await findRoutersBySerial(queries, scope, [...new Set(wanted.map(({ serial }) => serial))]);
  const homes = await openHomes(queries, seal, scope, routers);
  return wanted.map((each) => {
    const home = homes.get(each.serial);
    const judged = judgeProfile(each, home);
    if (!('fault' in judged)) take(home!, judged, newId());
    return judged;
  });
}

/**
 * Give routers of the organization the profiles that somebody wants for them. The caller audits and announces.
 * @returns an outcome per profile, in their order
 */
export async function placeProfiles(
  tx: Tx,
  seal: CodeSeal,
  scope: OrganizationScope,
  wanted: readonly WantedProfile[],
  now: Date,
): Promise<AddOutcome[]> {
  const serials = [...new Set(wanted.map(({ serial }) => serial))];
  const seen = await findRoutersBySerial(tx, scope, serials);
  await lockRoutersInOrder(
    tx,
    scope,
    [...seen.values()].map(({ routerId }) => routerId),
  );
  // Looked at again under the lock: a router may have gone to another organization meanwhile.
  const homes = await openHomes(tx, seal, scope, await findRoutersBySerial(tx, scope, [...seen.keys()]));
  const outcomes: AddOutcome[] = [];
  for (const each of wanted) {
    const home = homes.get(each.serial);
    const judged = judgeProfile(each, home);
    if ('fault' in judged) outcomes.push(judged);
    else {
      const id = newId(now.getTime());
      const moved = judged.priority === undefined ? undefined : displaced(home!.places, undefined, judged.priority);
      if (moved !== undefined) await movePriority(tx, scope, moved.id, moved.priority, now, now);
      outcomes.push({ profile: { ...newProfile(seal, home!, judged, id) } });
      take(home!, judged, id);
    }
  }
  await insertProfiles(
    tx,
    scope,
    outcomes.flatMap((outcome) => ('profile' in outcome ? [outcome.profile] : [])),
    now,
  );
  return outcomes;
}

function newProfile(
  seal: CodeSeal,
  home: OpenHome,
  { code, confirmation, ...accepted }: AcceptedProfile,
  id: string,
): NewProfile {
  const { deviceId, routerId, serial } = home;
  const sealedCode = code === null ? null : seal.seal(id, code);
  const sealedConfirmation = confirmation === null ? null : seal.confirmation.seal(id, confirmation);
  const priority = accepted.priority ?? freePriority(home.places);
  return { ...accepted, id, deviceId, routerId, serial, sealedCode, sealedConfirmation, priority };
}

/** The next one is held against this one too. */
function take(home: OpenHome, { eid, code, iccid, isPreloaded, priority }: AcceptedProfile, id: string): void {
  home.eid = eid;
  const moved = priority === undefined ? undefined : displaced(home.places, undefined, priority);
  const own = priority ?? freePriority(home.places);
  const index = home.places.findIndex((place) => place.id === moved?.id);
  if (index >= 0) home.places[index] = { ...home.places[index]!, priority: moved!.priority };
  home.places.push({ id, iccid, code: code ?? '', is_preloaded: isPreloaded, priority: own });
}

async function openHomes(
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
  return { ...router, eid: router.toldEid ?? typed, places: rows.map((row) => placeOf(seal, row)) };
}

function placeOf(seal: CodeSeal, { id, iccid, is_preloaded, priority, sealed_code: sealed }: LockedProfile): HeldPlace {
  return { id, iccid, is_preloaded, priority, code: sealed === null ? '' : seal.open(id, sealed) };
}
