import { LEAVE_METRES, type GeofenceShape } from '@highline/contract';
import { announceAll } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { Slices } from '../../platform/process/slices.ts';
import type { StoredPositions } from '../positions/index.ts';
import { followRouters, type Fence } from './follow.ts';
import { insertEvents, type NewEvent } from './geofence-events.job.queries.ts';
import {
  changeStates,
  readFenceVersions,
  readShapes,
  readStates,
  type FenceVersion,
  type StateChange,
} from './geofences.job.queries.ts';
import { areaOf, type Area } from './geometry.ts';

/** Areas in memory; beyond, all are read again. */
const MOST_CACHED = 20_000;

/**
 * Finds out which routers enter or leave geofences, in the transaction that stores their positions (POS-05): only there is known which of
 * them are new and where the routers were. It pauses for other tasks, and the transaction stays open meanwhile.
 */
export type GeofenceEvaluation = (tx: Tx, stored: StoredPositions) => Promise<void>;

/**
 * Evaluates positions. Areas are cached by the version of the geofence, so another process may change it.
 * @param onCrossed called with the devices that entered or left, in the same transaction
 */
export function createGeofenceEvaluation(onCrossed?: OnCrossed): GeofenceEvaluation {
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
    const slices = new Slices();
    const fences: Fence[] = [];
    for (const fence of versions) {
      const shape = shapes.get(fence.id);
      const area = areas.get(keyOf(fence)) ?? (shape === undefined ? undefined : areaOf(shape, LEAVE_METRES));
      if (area === undefined) continue;
      areas.set(keyOf(fence), area);
      fences.push({ ...fence, area });
      await slices.pause();
    }
    return fences;
  };

  return async (tx, stored) => {
    const { routers, versions } = await readFenceVersions(tx, [...stored.keys()]);
    if (versions.length === 0) return;
    const fences = Map.groupBy(await prepare(tx, versions), ({ organizationId }) => organizationId);
    const states = await readStates(
      tx,
      routers.map(({ routerId }) => routerId),
    );
    const { changes, events } = await followRouters({ routers, fences, states, stored }, new Slices());
    await recordCrossings(tx, { changes, events }, onCrossed);
  };
}

/** Looks at devices that entered or left, in the transaction that stores it. */
export type OnCrossed = (tx: Tx, deviceIds: readonly string[]) => Promise<void>;

/** Store what routers did, and announce it. */
export async function recordCrossings(
  tx: Tx,
  { changes, events }: { readonly changes: readonly StateChange[]; readonly events: readonly NewEvent[] },
  onCrossed: OnCrossed | undefined,
): Promise<void> {
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
}
