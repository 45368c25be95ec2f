import type { outages } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { readPdfPages } from '../../testing/pdf.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { cellAt } from '../coverage/index.ts';
import { storePositions } from '../positions/index.ts';

const OUTAGES = '/data_manager/v1/dm/outages';
const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('EV');
const week = { from: '2026-11-14', until: '2026-11-20' };
const tunnel = { latitude: 41.88, longitude: -87.63 };
const harbor = { latitude: 41.7, longitude: -87.5 };
const hexagon = cellAt(tunnel.latitude, tunnel.longitude);
let home: Home;
let group: string;
let bus: TestDevice;
let other: TestDevice;

const send = (path: string, query: Readonly<Record<string, string>>) =>
  app.call('GET', `${OUTAGES}${path}`, { as: home.user, query: { ...week, ...query } });
const evidence = async (query: Readonly<Record<string, string>>) =>
  (await readPdfPages((await send('/evidence', query)).bytes)).join(' ');

/** A vehicle that is owned since 09/01. */
async function addVehicle(name: string, more: Parameters<typeof addDevice>[3] = {}): Promise<TestDevice> {
  const columns = { vehicle_number: name, presence_since: '2026-11-01', ...more.columns };
  const added = await addDevice(app, home.own, fresh(), { ...more, columns });
  await app.owner.query(`update router_ownership set owned_from = '2026-09-01' where router_id = $1`, [added.routerId]);
  return added;
}
const lose = ({ id, routerId }: TestDevice, began: string, minutes: number, place?: typeof tunnel) =>
  app.owner.query(
    `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell, latitude, longitude, hexagon)
     values ($1, $2, $3, $4, $4::timestamptz + make_interval(mins => $5), 'lost', 'no-answer', 'Northern', 'LTE', '', $6, $7, $8)`,
    [
      home.own.organizationId,
      id,
      routerId,
      began,
      minutes,
      place?.latitude,
      place?.longitude,
      place === undefined ? null : cellAt(place.latitude, place.longitude),
    ],
  );
/** A report with a signal in the tunnel. */
async function report({ routerId }: TestDevice, at: string): Promise<void> {
  const fix = { ...tunnel, routerId, accuracy: null, speed: null, heading: null, at: Date.parse(at) };
  await app.database.write((tx) => storePositions(tx, [fix], new Date(at)));
  await app.owner.query('insert into telemetry_reports (router_id, at, rsrp) values ($1, $2, -90)', [routerId, at]);
}
/** What coverage has of the tunnel on a day. */
const covered = (day: string, carrier: string, samples: number) =>
  app.owner.query(
    `insert into coverage_days (organization_id, cell, day, carrier, technology, resolution, samples, drops, lost_seconds)
     values ($1, $2, $3, $4, 'LTE', 8, $5, 0, 0)`,
    [home.own.organizationId, hexagon, day, carrier, samples],
  );

beforeAll(async () => {
  await app.owner.query(
    `select ensure_position_partitions('2026-11-13', '2026-11-22'), ensure_partitions('2026-11-13', '2026-11-22')`,
  );
  home = await openHome(app);
  group = await app.seeding.group(home.own, 'Night shift');
  bus = await addVehicle('Bus 1', { group, columns: { tags: ['night'] } });
  other = await addVehicle('Bus 2');
  await lose(bus, '2026-11-19T10:10:00Z', 24, tunnel);
  await lose(other, '2026-11-19T11:00:00Z', 77, harbor);
  await lose(other, '2026-11-19T14:00:00Z', 33);
});

describe('evidence about a part of the fleet', () => {
  test('RPM-04-partial of other vehicles it says what they sent on the chosen carrier, on days of which reports are kept', async () => {
    await app.owner.query(
      `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-10', 'carrier', 'Northern'), ($1, '2026-11-19T12:00:00Z', 'carrier', 'Southern')`,
      [bus.routerId],
    );
    // One of its own among four on Northern, and all three on Southern; all seven of October.
    for (const at of ['10:00:00', '13:00:00', '13:01:00', '13:02:00']) await report(bus, `2026-11-19T${at}Z`);
    await covered('2026-11-19', 'Northern', 4);
    await covered('2026-11-19', 'Southern', 3);
    await covered('2026-10-10', 'Northern', 7);
    const text = await evidence({ from: '2026-10-01', until: '2026-11-20', device: bus.id, carrier: 'Northern' });
    expect(text).toContain('they sent 3 reports with a signal');
    expect(text).toContain('Reports of vehicles are kept since 10/21/2026 (UTC).');
    const whole = await evidence({ from: '2026-10-01', until: '2026-11-20', device: bus.id });
    expect(whole).toContain('they sent 3 reports with a signal');
  });

  test('RPM-05-partial with a place there is no availability, as it is not known how long vehicles were there; the document names vehicle and place', async () => {
    const query = { device: bus.id, hexagon };
    const sums: outages.Availability[] = (await send('/sums', { ...query, by: 'vehicles' })).json.result;
    expect(sums).toMatchObject([{ minutes: 24, share: null, target: null }]);
    const text = await evidence(query);
    expect(text).not.toMatch(/\d% availability/u);
    expect(text).toMatch(/Place: .*Chicago/u);
    expect(await evidence({ device: bus.id })).toMatch(/\d% availability/u);
  });

  test('RPM-04-partial of a group or a tag each part is about its vehicles alone, and the head says which', async () => {
    for (const [query, head] of [
      [{ group }, 'Group: Night shift'],
      [{ tag: 'night' }, 'Tag: night'],
    ] as const) {
      const text = await evidence(query);
      expect(text).toContain(head);
      expect(text).toContain('24.0');
      // Places, days and what has no place of the other vehicle.
      for (const part of ['Bus 2', '77.0', '33.0', '110.0', '134.0', 'No position known']) expect(text).not.toContain(part);
    }
    // The key of the default group arrives with spaces for its plus signs.
    const text = await evidence({ group: 'default group id' });
    for (const part of ['Group: default', 'Bus 2', '77.0']) expect(text).toContain(part);
    const sums: outages.Availability[] = (await send('/sums', { group: 'default group id', by: 'vehicles' })).json.result;
    expect(sums).toMatchObject([{ name: 'Bus 2', minutes: 110 }]);
  });

  test('RPM-04-partial says that outages are listed with their whole length where one goes beyond the period', async () => {
    const late = await addVehicle('Bus 9');
    await lose(late, '2026-11-18T23:50:00Z', 30);
    const note = 'Outages are listed with their whole length; sums have the part of it within the period.';
    expect(await evidence({ device: late.id, from: '2026-11-19', until: '2026-11-20' })).toContain(note);
    expect(await evidence({ device: late.id, from: '2026-11-18', until: '2026-11-20' })).not.toContain(note);
  });
});
