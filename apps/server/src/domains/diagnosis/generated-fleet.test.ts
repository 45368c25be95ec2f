import { readings } from '../router-state/index.ts';
import { makeMac } from '@highline/usp';
import type { DiagnosisKind } from '@highline/contract';
import { expect, test } from 'vitest';
import { openHome } from '../../testing/home.ts';
import { useTestApp, type TestApp } from '../../testing/test-app.ts';
import { diagnoseDevices } from './diagnosis.job.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Midnight. */
const FIRST = Date.parse('2026-10-26T00:00:00Z');
const DAYS = 30;
const VEHICLES = 60;
/** Faults begin on this day, and last until the end. */
const FAULTY_FROM = 10;

const app = useTestApp('2026-10-26T00:00:00Z');

/** A generator with a fixed seed (mulberry32), 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Vehicle {
  readonly index: number;
  readonly id: string;
  readonly routerId: string;
  readonly carrier: string;
  readonly fault: DiagnosisKind | undefined;
}

/** Two vehicles with each of these faults. */
const planted = ['supply', 'antenna', 'restarts', 'sim', 'heat', 'unstable', 'drops', 'position', 'clock', 'identity'] as const;
const faultOf = (index: number): DiagnosisKind | undefined => planted[Math.floor(index / 2)];

interface Connection {
  readonly router: string;
  readonly at: number;
  readonly kind: 'offline' | 'online' | 'boot';
  readonly reason: string;
}

/** A working day: parked at night, driving by day, ignition off at noon, a few tunnels; on Sundays nothing moves. */
function connectionsOf(vehicle: Vehicle, day: number, random: () => number): Connection[] {
  const { routerId: router, fault } = vehicle;
  const begins = FIRST + day * DAY_MS;
  const events: Connection[] = [];
  const lose = (at: number, ms: number, restarts: boolean) => {
    events.push(
      { router, at, kind: 'offline', reason: 'no-answer' },
      { router, at: at + ms, kind: 'online', reason: 'connected' },
    );
    if (restarts) events.push({ router, at: at + ms + 2_000, kind: 'boot', reason: 'LocalReboot' });
  };
  const isSunday = new Date(begins).getUTCDay() === 0;
  if (!isSunday) {
    // The router goes off with the ignition: at night, and at two to five stops.
    lose(begins + 20 * HOUR_MS + random() * HOUR_MS, 7 * HOUR_MS, true);
    for (let stop = 0; stop < 2 + random() * 4; stop++)
      lose(begins + (7 + stop * 2.5 + random()) * HOUR_MS, 600_000 + random() * HOUR_MS, true);
    // Tunnels and the edge of coverage: none to four a day, in the worst case six.
    for (let loss = 0; loss < random() * 5; loss++)
      lose(begins + (6 + random() * 13) * HOUR_MS, 30_000 + random() * 120_000, false);
  }
  if (day < FAULTY_FROM || fault === undefined) return events;
  if (fault === 'restarts')
    for (let hour = 8; hour < 12; hour++) for (let n = 0; n < 6; n++) lose(begins + hour * HOUR_MS + n * 500_000, 40_000, true);
  if (fault === 'drops')
    for (let hour = 6; hour < 20; hour++)
      for (let n = 0; n < 2; n++) lose(begins + hour * HOUR_MS + n * 1_700_000 + random() * 60_000, 60_000, false);
  if (fault === 'unstable') for (let n = 0; n < 12; n++) lose(begins + DAY_MS - 3_600_000 + n * 290_000, 30_000, false);
  return events;
}

/** Means of the hours of a day, by reading. */
function hoursOf({ fault, index }: Vehicle, day: number, hour: number, random: () => number) {
  const isFaulty = day >= FAULTY_FROM;
  const isDriving = hour > 5 && hour < 20;
  const supply = index % 5 === 0 ? 2 : 1;
  const moved = fault === 'sim' && isFaulty ? 0 : (day * 24 + hour) * 1e6 + 1;
  return {
    rssi: -70 - random() * 15,
    rsrp: -85 - random() * 20,
    rsrq: -11,
    // A hot noon in the cab.
    temperature: (isDriving ? 38 + random() * 24 : 20) + (fault === 'heat' && isFaulty && hour > 10 && hour < 16 ? 30 : 0),
    // Cold starts and idle accessories leave a healthy battery above 12 V.
    voltage: supply * ((isDriving ? 13.6 : 12.15) + random() * 0.4 - (fault === 'supply' && isFaulty && !isDriving ? 1.3 : 0)),
    bytes_sent: moved,
    bytes_received: moved * 4,
    battery: 90,
    sinr: 12,
  };
}

async function seedDay(
  { owner }: TestApp,
  vehicles: readonly Vehicle[],
  organization: string,
  day: number,
  random: () => number,
) {
  const begins = FIRST + day * DAY_MS;
  const events = vehicles.flatMap((vehicle) => connectionsOf(vehicle, day, random));
  // Every other day a carrier is away for five minutes, five times: all of its vehicles lose their connections together.
  if (day % 2 === 0)
    for (let outage = 0; outage < 12; outage++)
      for (const { routerId: router, carrier } of vehicles)
        if (carrier === 'Beta') {
          const at = begins + (1 + outage * 1.9) * HOUR_MS + random() * 40_000;
          events.push(
            { router, at, kind: 'offline', reason: 'no-answer' },
            { router, at: at + 300_000, kind: 'online', reason: 'connected' },
          );
        }
  await owner.query(
    `insert into connectivity (router_id, at, kind, reason) select router, to_timestamp(at / 1000.0), kind, reason
     from jsonb_to_recordset($1) as e (router uuid, at float8, kind text, reason text)`,
    [JSON.stringify(events)],
  );
  const hours = vehicles.flatMap((vehicle) =>
    Array.from({ length: 24 }, (_, hour) => {
      const values = hoursOf(vehicle, day, hour, random);
      const mean = readings.map(({ key }) => values[key]);
      return {
        router_id: vehicle.routerId,
        at: new Date(begins + hour * HOUR_MS).toISOString(),
        counts: mean.map(() => 6),
        sums: mean.map((value) => value * 6),
        mins: mean,
        maxs: mean,
      };
    }),
  );
  await owner.query('insert into telemetry_hours select * from jsonb_populate_recordset(null::telemetry_hours, $1)', [
    JSON.stringify(hours),
  ]);
  const compared = vehicles.map(({ id, carrier, fault }) => {
    const samples = 200;
    // Antennas differ by some dB, and a day on another route is compared with few.
    const db = (fault === 'antenna' && day >= FAULTY_FROM ? -14 : 0) + (random() - 0.5) * 8 - (random() < 0.02 ? 9 : 0);
    return {
      organization_id: organization,
      day: new Date(begins).toISOString().slice(0, 10),
      device_id: id,
      carrier,
      technology: 'LTE',
      cells: 30,
      rsrp_samples: samples,
      rsrp_difference: db * samples,
      rsrq_samples: 0,
      rsrq_difference: 0,
    };
  });
  await owner.query('insert into coverage_vehicle_days select * from jsonb_populate_recordset(null::coverage_vehicle_days, $1)', [
    JSON.stringify(compared),
  ]);
  if (day !== FAULTY_FROM) return;
  for (const { routerId, fault } of vehicles) {
    if (fault === 'clock') await owner.query('update routers set clock_skew_ms = 4000000 where id = $1', [routerId]);
    if (fault === 'identity')
      await owner.query(
        `insert into router_rejections (router_id, at, reason, address) values ($1, now(), 'serial-mismatch', '192.0.2.1')`,
        [routerId],
      );
    if (fault === 'position')
      await owner.query(
        `insert into position_faults (router_id, reason, since, last_at, count) values ($1, 'future', to_timestamp($2), to_timestamp($3), 40)`,
        [routerId, (begins + HOUR_MS) / 1_000, (begins + 40 * DAY_MS) / 1_000],
      );
  }
}

test('SAY-02-partial of the faults planted in a fleet of 60 vehicles over 30 days 95 % are found, with at most one false alarm in 100 vehicle-weeks', async ({
  annotate,
}) => {
  const { owner, seeding } = app;
  const day = (offset: number) => new Date(FIRST + offset * DAY_MS).toISOString().slice(0, 10);
  await owner.query('select ensure_partitions($1, $2), ensure_coverage_partitions($1, $2)', [day(0), day(DAYS + 1)]);
  await owner.query('update telemetry_rollup set rolled_from = $1, closed_until = $1, rolled_until = $1', [day(0)]);
  const { own, main } = await openHome(app);
  const named = Array.from({ length: VEHICLES }, (_, index) => ({
    serial: `DG${String(1_000 + index)}`,
    mac: makeMac(index + 1),
  }));
  const routers = await seeding.routers(main, named);
  const ids = await seeding.devices(own, named);
  await owner.query('update router_ownership set owned_from = $1 where organization_id = $2', [day(0), own.organizationId]);
  const vehicles = ids.map((id, index): Vehicle => ({
    index,
    id,
    routerId: routers[index]!.id,
    carrier: index % 3 === 0 ? 'Beta' : 'Alpha',
    fault: faultOf(index),
  }));
  for (const { id, carrier } of vehicles)
    await owner.query("update devices set carrier = $2, presence = 'online', presence_since = now() where id = $1", [
      id,
      carrier,
    ]);
  const random = randomOf(20_261_127);
  const seen = new Set<string>();
  const falseAlarms = new Map<string, number>();
  for (let today = 0; today < DAYS; today++) {
    await seedDay(app, vehicles, own.organizationId, today, random);
    const now = new Date(FIRST + (today + 1) * DAY_MS - 60_000);
    await owner.query('update telemetry_rollup set rolled_until = $1, closed_until = $1', [
      new Date(FIRST + (today + 1) * DAY_MS - HOUR_MS),
    ]);
    await diagnoseDevices(app.database, now);
    const { rows } = await owner.query<{ device: string; kind: DiagnosisKind }>(
      'select device_id as device, kind from device_diagnoses where organization_id = $1',
      [own.organizationId],
    );
    for (const { device, kind } of rows) {
      const vehicle = vehicles.find(({ id }) => id === device)!;
      // What goes on and off has lost its connection often, too.
      const follows = kind === 'drops' && vehicle.fault === 'unstable';
      if (kind === vehicle.fault && today >= FAULTY_FROM) seen.add(device);
      else if (!follows) falseAlarms.set(`${vehicle.index} ${kind}`, (falseAlarms.get(`${vehicle.index} ${kind}`) ?? 0) + 1);
    }
  }
  const faulty = vehicles.filter(({ fault }) => fault !== undefined);
  const weeks = (VEHICLES * DAYS) / 7;
  await annotate(
    `found ${seen.size} of ${faulty.length} planted faults; ${falseAlarms.size} false alarms in ${weeks.toFixed(0)} vehicle-weeks`,
  );
  expect(seen.size / faulty.length).toBeGreaterThanOrEqual(0.95);
  expect((falseAlarms.size * 100) / weeks).toBeLessThanOrEqual(1);
});
