import { expect, test } from 'vitest';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createPositions } from '../positions/index.ts';
import { createGeofenceEvaluation } from './index.ts';

const NOW = '2026-11-20T12:00:00Z';
const FENCES = 5;
const FIXES = 5_000;

const app = useTestApp(NOW);

test('POS-05-partial a batch of positions with more crossings than a statement could have parameters is stored', async () => {
  const { own, admin } = await openHome(app);
  const bus = await addDevice(app, own, routersNamed('MC')());
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  for (let fence = 0; fence < FENCES; fence++) {
    const shape = { kind: 'circle', latitude: 24, longitude: 121, radius: 200 };
    const { status } = await app.call('POST', '/data_manager/v1/dm/geofences', {
      as: admin,
      body: { name: `Stop ${fence}`, shape },
    });
    expect(status).toBe(200);
  }
  const onStored = createGeofenceEvaluation();
  const positions = createPositions({ database: app.database, clock: app.clock, log: silentLog, retentionDays: 30, onStored });
  await positions.start();
  // Two fixes inside, then two outside, and so on, 31 s apart: the second of each pair confirms the crossing of the first.
  const first = Date.parse(NOW) / 1_000 - FIXES * 31;
  const trail = Array.from({ length: FIXES }, (_, n) => `${first + n * 31},${n % 4 < 2 ? 24 : 24.1},121.0`).join(';');
  await positions.pushed(bus.routerId, [{ values: [['Device.X_HIGHLINE_GPS.Trail', trail]] }]);
  await positions.stop();
  expect(positions.stats().written).toBe(FIXES);
  const { rows } = await app.owner.query<{ kind: string; count: number }>(
    'select kind, count(*)::int from geofence_events group by kind order by kind',
  );
  const each = (FIXES / 4) * FENCES;
  expect(rows).toEqual([
    { kind: 'entered', count: each },
    { kind: 'left', count: each },
  ]);
});
