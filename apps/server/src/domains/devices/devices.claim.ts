import { newId, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { Slices } from '../../platform/process/slices.ts';
import { assignRouters, findRouters, lockUnclaimed, type ClaimableRouter } from '../inventory/index.ts';
import { lockOrganizationForKeyShare } from './devices.organizations.ts';
import { insertDevices } from './devices.store.ts';

/** The user's description of a router to add; normalized, but not yet verified. */
export interface DeviceClaim {
  readonly serial: string;
  /** 12 uppercase hex digits; undefined = the input is not a MAC address. */
  readonly mac: string | undefined;
  readonly groupKey: string;
  /** Empty if not given. */
  readonly vehicleNumber?: string;
  readonly note?: string;
  /** As stored: sorted, each once. */
  readonly tags?: readonly string[];
  /** ISO days; both null = not subscribed yet. */
  readonly startedOn: string | null;
  readonly expiresOn: string | null;
}

/**
 * The reasons to reject a claim. A router of another main account is answered like an unknown serial; the owner of a claimed one
 * is not revealed.
 */
export type ClaimFault = 'device.serial_unknown' | 'device.mac_mismatch' | 'device.duplicate';

/** `serial` as it is stored; a claim may have it in another case. */
export type ClaimOutcome =
  | { readonly deviceId: string; readonly routerId: string; readonly serial: string }
  | { readonly fault: ClaimFault };

/** Called with routers once their claims are committed: they may have been connected for long, and nothing of them was looked at. */
export type RoutersClaimed = (routerIds: readonly string[]) => void;

/** The routers that were claimed. */
export function claimedRouters(outcomes: readonly (ClaimOutcome | { readonly error: string })[]): string[] {
  return outcomes.flatMap((outcome) => ('routerId' in outcome ? [outcome.routerId] : []));
}

type ClaimDecision = { readonly router: ClaimableRouter } | { readonly fault: ClaimFault };

/** Check claims against the inventory without changing anything. Of several claims for one serial the first counts. */
export async function validateClaims(queries: Queries, scope: Scope, claims: readonly DeviceClaim[]): Promise<ClaimDecision[]> {
  const serials = [...new Set(claims.map(({ serial }) => serial))];
  const routers = new Map<string, ClaimableRouter>();
  for (let from = 0; from < serials.length; from += SERIALS_AT_ONCE) {
    const found = await findRouters(queries, scope, serials.slice(from, from + SERIALS_AT_ONCE));
    for (const [serial, router] of found) routers.set(serial, router);
  }
  const seen = new Set<string>();
  const decide = (claim: DeviceClaim): ClaimDecision => {
    const router = routers.get(claim.serial);
    if (router === undefined) return { fault: 'device.serial_unknown' };
    // Before "already claimed", so that only a user who has the router at hand learns that it is claimed.
    if (claim.mac !== router.mac) return { fault: 'device.mac_mismatch' };
    if (router.claimed || seen.has(router.id)) return { fault: 'device.duplicate' };
    seen.add(router.id);
    return { router };
  };
  const decisions: ClaimDecision[] = [];
  const slices = new Slices();
  for (const claim of claims) {
    decisions.push(decide(claim));
    if (decisions.length % CLAIMS_AT_ONCE === 0) await slices.pause();
  }
  return decisions;
}

/** Serial numbers of one statement: the text of its list is made in one go. */
const SERIALS_AT_ONCE = 10_000;
/** Claims that are decided before other calls may run. */
const CLAIMS_AT_ONCE = 500;

/**
 * Claim routers for an organization: insert its devices, and assign the routers' histories to the organization from now on. The
 * caller audits and announces.
 * @returns an outcome per claim, in their order
 * @throws DomainError `not_found` if the organization was deleted meanwhile
 */
export async function claimDevices(
  tx: Tx,
  scope: OrganizationScope,
  claims: readonly DeviceClaim[],
  now: Date,
): Promise<ClaimOutcome[]> {
  await lockOrganizationForKeyShare(tx, scope);
  const decisions = await validateClaims(tx, scope, claims);
  const routerIds = decisions.flatMap((decision) => ('router' in decision ? [decision.router.id] : []));
  const locked = await lockUnclaimed(tx, scope, routerIds);
  const won = decisions.map((decision, index) => {
    if (!('router' in decision)) return { outcome: decision };
    if (!locked.has(decision.router.id)) return { outcome: { fault: 'device.duplicate' } as const };
    const { groupKey, vehicleNumber = '', note = '', tags = [], startedOn, expiresOn } = claims[index]!;
    const id = newId(now.getTime());
    const device = { id, routerId: decision.router.id, groupKey, vehicleNumber, note, tags, startedOn, expiresOn };
    return { outcome: { deviceId: id, routerId: device.routerId, serial: decision.router.serial }, device };
  });
  const devices = won.flatMap(({ device }) => device ?? []);
  await insertDevices(tx, scope, devices, now);
  const { organizationId } = scope;
  await assignRouters(
    tx,
    scope,
    devices.map(({ id, routerId }) => ({ routerId, organizationId, deviceId: id })),
    now,
  );
  return won.map(({ outcome }) => outcome);
}
