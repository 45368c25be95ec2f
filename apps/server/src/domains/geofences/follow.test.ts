import { describe, expect, test } from 'vitest';
import { Slices } from '../../platform/process/slices.ts';
import type { StoredPositions } from '../positions/index.ts';
import { followRouters, type Fence, type Followed } from './follow.ts';
import { areaOf } from './geometry.ts';

const ORG = 'organization';
const METRE = 1 / 111_195;
/** The middle of the area, and metres north of it. */
const north = (metres: number) => ({ latitude: 24 + metres * METRE, longitude: 121 });

const fence = (id: string, radius: number): Fence => ({
  id,
  organizationId: ORG,
  name: id,
  version: 1,
  area: areaOf({ kind: 'circle', ...north(0), radius }, 50),
});
const router = (routerId: string, ownedFrom = 0) => ({
  routerId,
  deviceId: `device of ${routerId}`,
  organizationId: ORG,
  mainAccountId: 'main account',
  ownedFrom,
});
type Stored = StoredPositions extends ReadonlyMap<string, infer Own> ? Own : never;
/** Seconds, and metres north of the middle. */
const drive = (routerId: string, ...places: readonly (readonly [seconds: number, metres: number])[]): [string, Stored] => [
  routerId,
  places.map(([seconds, metres]) => ({
    routerId,
    at: seconds * 1_000,
    ...north(metres),
    accuracy: null,
    speed: null,
    heading: null,
    isJump: false,
  })),
];

const followed: Followed = {
  routers: [router('A'), router('B', 100_000), router('C')],
  fences: new Map([[ORG, [fence('wide', 1_000), fence('narrow', 100)]]]),
  states: new Map([['C', new Map([['wide', { isInside: true, since: 0, pendingSince: null }]])]]),
  stored: new Map([
    drive('A', [0, 900], [60, 90], [120, 90], [180, 140], [240, 2_000], [300, 2_000]),
    drive('B', [0, 0], [60, 0], [120, 0]),
    drive('C', [0, 5_000], [60, 5_000]),
  ]),
};

/** What happened, and how often others ran meanwhile. */
async function follow(sliceMs: number) {
  let others = 0;
  let isOver = false;
  const count = () => {
    others += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const found = await followRouters(followed, new Slices(sliceMs));
  isOver = true;
  return { found, others };
}

describe('POS-05-partial routers at the geofences of their organization', () => {
  test('are followed in the order of routers, geofences and time', async () => {
    const { found } = await follow(Infinity);
    expect(found.events.map(({ router, fence, kind, at }) => [router.routerId, fence.id, kind, at / 1_000])).toEqual([
      ['A', 'wide', 'entered', 0],
      ['A', 'wide', 'left', 240],
      ['A', 'narrow', 'entered', 60],
      ['A', 'narrow', 'left', 240],
      ['C', 'wide', 'left', 0],
    ]);
    // B was only once there since it was transferred.
    expect(found.changes.map(({ routerId, geofenceId, state }) => [routerId, geofenceId, state.isInside])).toEqual([
      ['B', 'wide', false],
      ['B', 'narrow', false],
      ['C', 'wide', false],
    ]);
  });

  test('are followed in slices, between which others have their turn, with the same result', async () => {
    const [whole, sliced] = [await follow(Infinity), await follow(0)];
    expect(whole.others).toBe(0);
    // One for each router at each geofence, at least.
    expect(sliced.others).toBeGreaterThanOrEqual(6);
    expect(sliced.found).toEqual(whole.found);
  });
});
