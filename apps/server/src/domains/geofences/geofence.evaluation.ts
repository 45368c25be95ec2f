import { LEAVE_METRES, type GeofenceShape } from '@highline/contract';
import { announceAll } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { StoredPositions } from '../positions/index.ts';
import { nextState, OUTSIDE, type Crossing, type FenceState } from './crossing.ts';
import {
  changeStates,
  insertEvents,
  readFenceVersions,
  readShapes,
  readStates,
  type FencedRouter,
  type FenceVersion,
  type NewEvent,
  type StateChange,
} from './geofences.job.queries.ts';
import { areaOf, boxOf, isFar, metresOutside, type Area } from './geometry.ts';

/** Areas in memory; beyond, all are read again. */
const MOST_CACHED = 20_000;

/** Finds out which routers enter or leave geofences, in the transaction that stores their positions (POS-05). */
export type GeofenceEvaluation = (tx: Tx, stored: StoredPositions) => Promise<void>;

interface Fence extends FenceVersion {
  readonly area: Area;
}

/**
 * Evaluates positions. Areas are cached by the version of the geofence, so another process may change it.
 * @param onCrossed called with the devices that entered or left, in the same transaction
 */
export function createGeofenceEvaluation(
  onCrossed?: (tx: Tx, deviceIds: readonly string[]) => Promise<void>,
): GeofenceEvaluation {
  const areas = new Map<string, Area>();

  const prepare = async (tx: Tx, versions: readonly FenceVersion[]): Promise<Fence[]> => {
    const keyOf = ({ id, version }: FenceVersion) => `${id} ${version}`;
    const missing = versions.filter((fence) => !areas.has(keyOf(fence)));
    if (areas.size + missing.length > MOST_CACHED) areas.clear();
    const unread = versions.filter((fence) => !areas.has(keyOf(fence)));
    const shapes: ReadonlyMap<string, GeofenceShape> =
      unread.length === 0
        ? new Map()
        : await readShapes(
            tx,
            unread.map(({ id }) => id),
          );
    return versions.flatMap((fence) => {
      const shape = shapes.get(fence.id);
      const area = areas.get(keyOf(fence)) ?? (shape === undefined ? undefined : areaOf(shape, LEAVE_METRES));
      if (area === undefined) return [];
      areas.set(keyOf(fence), area);
      return [{ ...fence, area }];
    });
  };

  return async (tx, stored) => {
    const { routers, versions } = await readFenceVersions(tx, [...stored.keys()]);
    if (versions.length === 0) return;
    const fences = Map.groupBy(await prepare(tx, versions), ({ organizationId }) => organizationId);
    const states = await readStates(
      tx,
      routers.map(({ routerId }) => routerId),
    );
    const changes: StateChange[] = [];
    const events: NewEvent[] = [];
    for (const router of routers) {
      const box = boxOf(stored.get(router.routerId) ?? []);
      const own = states.get(router.routerId);
      for (const fence of fences.get(router.organizationId) ?? []) {
        const before = own?.get(fence.id) ?? OUTSIDE;
        // Outside before and far away since: most vehicles at most geofences.
        if (before === OUTSIDE && isFar(fence.area, box)) continue;
        const { state, crossings } = follow(before, router, fence, stored);
        if (state !== before) changes.push({ routerId: router.routerId, geofenceId: fence.id, state });
        events.push(...crossings.map((crossing) => ({ ...crossing, router, fence })));
      }
    }
    await changeStates(tx, changes);
    if (events.length === 0) return;
    await insertEvents(tx, events);
    await onCrossed?.(tx, [...new Set(events.map(({ router }) => router.deviceId))]);
    const scopes = new Map(events.map(({ router }) => [router.organizationId, router]));
    await announceAll(
      tx,
      [...scopes.values()].map(({ mainAccountId, organizationId }) => ({ kind: 'organization', mainAccountId, organizationId })),
      'geofences',
    );
  };
}

/** Positions of one router, in order of time, at one geofence. */
function follow(
  before: FenceState,
  { routerId, ownedFrom }: FencedRouter,
  { area }: Fence,
  stored: StoredPositions,
): { state: FenceState; crossings: Crossing[] } {
  let state = before;
  const crossings: Crossing[] = [];
  for (const position of stored.get(routerId) ?? []) {
    // A position that jumped may be wrong; one from before a transfer is not this organization's.
    if (position.isJump || position.at < ownedFrom) continue;
    const next = nextState(state, position.at, metresOutside(area, position));
    state = next.state;
    if (next.crossing !== undefined) crossings.push(next.crossing);
  }
  return { state, crossings };
}
