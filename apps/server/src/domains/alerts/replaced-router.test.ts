import { expect, it } from 'vitest';
import type { alerts } from '@highline/contract';
import { MINUTE_MS, type TestRouter, useAlertFleet } from '../../testing/alert-fleet.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { compareAll } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule, listed } = useAlertFleet(app);

it('ALR-04-partial BLK-06-partial the alert about a reading ends with the router that measured it; both routers then raise and end their own', async () => {
  const { main, admin, routers } = await open(1);
  const former = routers[0]!;
  const mac = (await app.owner.query('select mac from routers where id = $1', [former.routerId])).rows[0].mac;
  const next = { serial: `${former.serial}N`, mac: `0A${mac.slice(2)}` };
  const [stored] = await app.seeding.routers(main, [next]);
  const replaced: TestRouter = { ...former, routerId: stored!.id, serial: next.serial };
  await addRule(admin, { forSeconds: 0 });
  await addRule(admin, { name: 'Weak for an hour', forSeconds: 3_600 });
  const described = ({ serial_number: serial, ruleName, state, resolution }: alerts.Alert) => [
    serial,
    ruleName,
    resolution ?? state,
  ];
  await withTelemetry(async (telemetry) => {
    const report = async (router: TestRouter, value: number) => {
      await measure(telemetry, router, value);
      await run();
      later(1_000);
      return (await listed(admin)).map(described);
    };
    expect(await report(former, -120)).toEqual([[former.serial, 'Weak signal', 'firing']]);
    const replacement = { device: former.deviceId, serial_number: next.serial, mac: next.mac };
    const response = await app.call('POST', '/data_manager/v1/dm/device/router', { as: admin, body: replacement });
    expect(response.status, response.text).toBe(200);
    // The state that is not due yet is that of the former router: an hour later it fires no more.
    later(60 * MINUTE_MS);
    expect(await report(replaced, -120)).toEqual([[former.serial, 'Weak signal', 'firing']]);
    await compareAll(app.database, app.clock.now());
    await run();
    const ended = [former.serial, 'Weak signal', 'router-replaced'];
    expect((await listed(admin)).map(described)).toEqual([ended]);
    expect(await report(replaced, -120)).toEqual([[next.serial, 'Weak signal', 'firing'], ended]);

    // The former router moves to another vehicle.
    const claim = { serial_number: former.serial, mac, started: '01/01/2026', expired: '12/31/2027' };
    const claimed = await app.call('POST', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [claim] } });
    expect(claimed.status, claimed.text).toBe(200);
    const firing = [next.serial, 'Weak signal', 'firing'];
    expect(await report(former, -90)).toEqual([firing, ended]);
    expect(await report(former, -120)).toEqual([[former.serial, 'Weak signal', 'firing'], firing, ended]);
    expect(await report(former, -90)).toEqual([[former.serial, 'Weak signal', 'cleared'], firing, ended]);
    expect(await report(replaced, -90)).toEqual([
      [former.serial, 'Weak signal', 'cleared'],
      [next.serial, 'Weak signal', 'cleared'],
      ended,
    ]);
  });
});
