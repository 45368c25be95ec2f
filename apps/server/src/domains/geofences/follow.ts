import type { Slices } from '../../platform/process/slices.ts';
import type { StoredPositions } from '../positions/index.ts';
import { nextState, OUTSIDE, type Crossing, type FenceState } from './crossing.ts';
import type { NewEvent } from './geofence-events.job.queries.ts';
import type { FencedRouter, FenceVersion, StateChange } from './geofences.job.queries.ts';
import { boxOf, isFar, isWithin, type Area } from './geometry.ts';

/** A geofence whose area is prepared. */
export interface Fence extends FenceVersion {
  readonly area: Area;
}

/** What is known of routers before they are followed. */
export interface Followed {
  /** Those that reported, in the order of what they did. */
  readonly routers: readonly FencedRouter[];
  /** By organization. */
  readonly fences: ReadonlyMap<string, readonly Fence[]>;
  /** By router and geofence; without one it is outside. */
  readonly states: ReadonlyMap<string, ReadonlyMap<string, FenceState>>;
  readonly stored: StoredPositions;
}

/** Positions that are looked at before the time is: a thousandth of a second with the most corners. */
const POSITIONS_AT_ONCE = 100;

/** What routers did at the geofences of their organizations, in the order of the routers, their geofences and the time. */
export async function followRouters(
  { routers, fences, states, stored }: Followed,
  slices: Slices,
): Promise<{ readonly changes: readonly StateChange[]; readonly events: readonly NewEvent[] }> {
  const changes: StateChange[] = [];
  const events: NewEvent[] = [];
  for (const router of routers) {
    const box = boxOf(stored.get(router.routerId) ?? []);
    const own = states.get(router.routerId);
    await slices.pause();
    for (const fence of fences.get(router.organizationId) ?? []) {
      const before = own?.get(fence.id) ?? OUTSIDE;
      // Outside before and far away since: most vehicles at most geofences.
      if (before === OUTSIDE && isFar(fence.area, box)) continue;
      const { state, crossings } = await follow(before, router, fence, stored, slices);
      if (state !== before) changes.push({ routerId: router.routerId, geofenceId: fence.id, state });
      events.push(...crossings.map((crossing) => ({ ...crossing, router, fence })));
    }
  }
  return { changes, events };
}

/** Positions of one router, in order of time, at one geofence. */
async function follow(
  before: FenceState,
  { routerId, ownedFrom }: FencedRouter,
  { area }: Fence,
  stored: StoredPositions,
  slices: Slices,
): Promise<{ state: FenceState; crossings: Crossing[] }> {
  let state = before;
  const crossings: Crossing[] = [];
  for (const [index, position] of (stored.get(routerId) ?? []).entries()) {
    if (index % POSITIONS_AT_ONCE === 0) await slices.pause();
    // A position that jumped may be wrong; one from before a transfer is not this organization's.
    if (position.isJump || position.at < ownedFrom) continue;
    const next = nextState(state, position.at, (metres) => isWithin(area, position, metres));
    state = next.state;
    if (next.crossing !== undefined) crossings.push(next.crossing);
  }
  return { state, crossings };
}
