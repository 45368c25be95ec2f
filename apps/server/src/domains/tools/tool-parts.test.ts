import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { storePositions } from '../positions/index.ts';

const BASE = '/data_manager/v1/dm/devices';
const app = useTestApp();
const fresh = routersNamed('TP');

test('LIV-05-partial LIV-06-partial IAM-03-partial HKS-02-partial a support bundle and measured speeds have what a role or key reads elsewhere', async () => {
  const { own } = await openHome(app);
  const { id, routerId } = await addDevice(app, own, fresh());
  const now = app.clock.now();
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [routerId]);
  await app.owner.query(
    `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number,
       group_key, state, since, fired_at, place)
     select organization_id, gen_random_uuid(), main_account_id, gen_random_uuid(), 'Vehicle lost', 'critical', 'offline', id, serial, '',
       group_key, 'firing', $2, $2, 'Depot North' from devices where id = $1`,
    [id, now],
  );
  for (const kind of ['alarm', 'remote', 'rollout', 'sim'])
    await app.owner.query(
      `insert into router_events (router_id, at, kind, subject, state) values ($1, $2, $3, 'of ' || $3, 'x')`,
      [routerId, now, kind],
    );
  await app.owner.query(
    `insert into tool_runs (organization_id, id, device_id, router_id, tool, input, state, result, started_by, created_at, ended_at, ends_by)
     values ($1, $2, $3, $4, 'download', '{"tool":"download","bytes":1000000}', 'done', $5, 'x', $6, $6, $6)`,
    [own.organizationId, newId(), id, routerId, JSON.stringify({ tool: 'download', bitsPerSecond: 8_000_000 }), now],
  );
  const place = { latitude: 41.9, longitude: -87.7 };
  const fix = { routerId, at: now.getTime(), ...place, speed: null, heading: null, accuracy: null };
  await app.database.write((tx) => storePositions(tx, [fix], now));

  const read = async (rights: Partial<Actor>) => {
    const as = Object.assign(app.person(own, 'admin'), rights);
    const bundle = await app.call('GET', `${BASE}/${id}/support-bundle`, { as });
    expect(bundle.status, bundle.text).toBe(200);
    const files = Object.entries(unzipSync(new Uint8Array(bundle.bytes))).map(
      ([name, contents]) => [name, strFromU8(contents)] as const,
    );
    return { names: files.map(([name]) => name.replace('.jsonl', '')), text: files.map(([, text]) => text).join(''), as };
  };
  const ofRole = (...rights: string[]) => read({ ownRole: { id: newId(), name: 'Desk', rights } });
  const device = ['device', 'diagnoses', 'connections', 'facts', 'readings', 'events'];

  const whole = await read({});
  expect(whole.names).toEqual(expect.arrayContaining(['alerts', 'log', 'esims', 'data-used', 'remote-sessions']));
  expect(whole.names).not.toContain('left-out.txt');
  for (const kind of ['alarm', 'remote', 'rollout', 'sim']) expect(whole.text).toContain(`of ${kind}`);
  expect(whole.text).toContain('Vehicle lost');
  // Where the vehicle was is in none.
  expect(whole.text).not.toContain('Depot North');

  const desk = await ofRole('tools.read');
  expect(desk.names).toEqual([...device, 'tests', 'left-out.txt']);
  expect(desk.text).toContain('of alarm');
  expect(desk.text).not.toMatch(/Vehicle lost|of (remote|rollout|sim)|admin@/u);
  expect(desk.text).toContain('networks.jsonl, settings.jsonl, outages.jsonl, data-used.jsonl, esims.jsonl, commands.jsonl');
  const helper = await ofRole('tools.read', 'alerts.read', 'logs.read');
  expect(helper.names).toEqual([...device, 'alerts', 'log', 'remote-sessions', 'tests', 'left-out.txt']);
  expect(helper.text).toContain('of remote');

  const placeFor = async (as: Actor) =>
    (await app.call('GET', `${BASE}/${id}/tools/speeds`, { as })).json.result.map((speed: { place: unknown }) => speed.place);
  expect(await placeFor(whole.as)).toEqual([place]);
  expect(await placeFor(desk.as)).toEqual([null]);
  const ofKey = (...operations: string[]) =>
    Object.assign(app.person(own, 'admin'), { key: { id: newId(), label: 'Help', organizationId: null, operations } });
  expect(await placeFor(ofKey('tools.speeds'))).toEqual([null]);
  expect(await placeFor(ofKey('tools.speeds', 'positions.map'))).toEqual([place]);
});
