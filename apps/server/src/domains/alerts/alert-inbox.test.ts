import { alerts } from '@highline/contract';
import { expect, it } from 'vitest';
import { newId, type Actor } from '../../kernel/index.ts';
import { alertsPath, useAlertFleet } from '../../testing/alert-fleet.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule, listed, statesOf } = useAlertFleet(app);

/** An organization with alerts that fire. */
async function firing(count: number) {
  const own = await open(count);
  await addRule(own.admin, { forSeconds: 0 });
  await withTelemetry(async (telemetry) => {
    for (const router of own.routers) await measure(telemetry, router, -120);
    await run();
  });
  return { ...own, alerts: await listed(own.admin) };
}

it('ALR-03-partial alerts are acknowledged together with a note, once, and the log and the outbox have it; a foreign id is a 404', async () => {
  const { admin, user, scope, alerts: own } = await firing(3);
  const { alerts: foreign } = await firing(1);
  await app.takeOutbox();
  const acknowledge = (as: Actor, ids: readonly string[]) =>
    app.call('POST', `${alertsPath}/acknowledge`, { as, body: { alerts: ids, note: 'On it' } });
  const mixed = await acknowledge(admin, [own[0]!.id, foreign[0]!.id]);
  expect([mixed.status, mixed.json.error.key]).toEqual([404, 'alert.not_found']);
  expect(await statesOf(admin)).toEqual(['firing', 'firing', 'firing']);
  expect((await acknowledge(user, [own[0]!.id, own[1]!.id])).json.result).toEqual({ acknowledged: 2 });
  expect((await acknowledge(admin, [own[0]!.id])).json.result).toEqual({ acknowledged: 0 });
  expect((await listed(admin, { state: 'acknowledged' }))[0]).toMatchObject({ acknowledgedBy: user.email, note: 'On it' });
  expect((await app.call('GET', `${alertsPath}/count`, { as: admin })).json.result).toEqual({
    firing: 1,
    critical: 0,
    acknowledged: 2,
  });
  expect((await app.logOf(scope.organizationId)).at(-1)).toBe('Acknowledged 2 alerts');
  expect((await app.takeOutbox()).filter(({ topic }) => topic === 'alerts')).toHaveLength(1);
});

it('ALR-03-partial ALR-06-partial the line of a storm is acknowledged and exported with all of its alerts, and fires while one of them does', async () => {
  const { admin, alerts: own } = await firing(4);
  const { admin: other, alerts: foreign } = await firing(1);
  const storm = newId();
  for (const { id } of [...own.slice(0, 3), ...foreign])
    await app.owner.query('update alerts set storm_id = $2 where id = $1', [id, id === foreign[0]!.id ? id : storm]);
  const acknowledge = (id: string) => app.call('POST', `${alertsPath}/acknowledge`, { as: admin, body: { alerts: [id] } });
  const line = async (query: Record<string, string> = {}) =>
    (await listed(admin, { grouped: 'true', ...query })).find((alert) => alert.storm !== null)?.storm;
  const file = await app.call('GET', `${alertsPath}/export`, { as: admin, query: { only: `${storm},${own[3]!.id}` } });
  expect(file.text.trim().split('\r\n')).toHaveLength(1 + 4);
  expect((await app.call('GET', `${alertsPath}/export`, { as: other, query: { only: storm } })).text.trim()).not.toContain('\n');
  await acknowledge(own[0]!.id);
  expect(await line()).toMatchObject({ count: 3, state: 'firing', open: 3, firing: 2 });
  expect(await line({ state: 'acknowledged' })).toMatchObject({ count: 1, state: 'acknowledged', firing: 2 });
  expect((await acknowledge(foreign[0]!.id)).status).toBe(404);
  expect((await acknowledge(storm)).json.result).toEqual({ acknowledged: 2 });
  expect(await line()).toMatchObject({ count: 3, state: 'acknowledged', firing: 0 });
  expect((await listed(admin, { state: 'firing' })).map(({ id }) => id)).toEqual([own[3]!.id]);
  expect(await statesOf(other)).toEqual(['firing']);
});

it('ALR-03-partial the inbox has filters, pages by key and a CSV, and the main account sees all of its organizations', async () => {
  const { main, admin, routers, group, scope } = await firing(5);
  const first = await app.call('GET', alertsPath, { as: admin, query: { limit: 2 } });
  expect([first.json.total, first.json.result.length]).toEqual([5, 2]);
  const next = await app.call('GET', alertsPath, { as: admin, query: { limit: 2, cursor: first.json.next } });
  const ids = [...first.json.result, ...next.json.result].map(({ id }: alerts.Alert) => id);
  expect(new Set(ids).size).toBe(4);
  const count = async (query: Record<string, string>) => (await listed(admin, query)).length;
  expect(await count({ state: 'open', severity: 'warning', kind: 'reading' })).toBe(5);
  expect(await count({ severity: 'critical' })).toBe(0);
  expect(await count({ state: 'resolved' })).toBe(0);
  expect(await count({ device: routers[0]!.deviceId })).toBe(1);
  expect(await count({ group })).toBe(0);
  expect(await count({ search: routers[1]!.serial, field: 'serial' })).toBe(1);
  expect(await listed(app.person(main, 'main'))).toHaveLength(5);
  const csv = await app.call('GET', `${alertsPath}/export`, {
    as: admin,
    query: { search: routers[1]!.serial, language: 'zh-TW' },
  });
  expect(csv.text.trim().split('\r\n')).toEqual([
    expect.stringContaining('嚴重程度'),
    expect.stringContaining(`警告,觸發中,,Weak signal,−120 dBm,Own,${routers[1]!.serial}`),
  ]);
  // Times are as on the Chinese screen.
  expect(csv.text).toMatch(/,2026\/11\/\d\d \d\d:\d\d:\d\d,/u);
  // A spreadsheet takes none of these for a number or a date.
  await app.owner.query("update devices set vehicle_number = '12-05' where id = $1", [routers[1]!.deviceId]);
  const stored = "update alerts set serial = '000123456789', vehicle_number = '12-05' where device_id = $1";
  await app.owner.query(stored, [routers[1]!.deviceId]);
  const ofDevice = 'organization_id = $1 and key = (select group_key from devices where id = $2)';
  await app.owner.query(`update groups set name = '007' where ${ofDevice}`, [scope.organizationId, routers[1]!.deviceId]);
  const exact = await app.call('GET', `${alertsPath}/export`, { as: admin, query: { search: '000123456789' } });
  expect(exact.text).toMatch(/,'000123456789,'12-05,[^,]*,'007,/u);
  const devices = await app.call('GET', '/data_manager/v1/dm/devices/export', { as: admin, query: { columns: 'vehicle,group' } });
  expect(devices.text).toContain("\r\n'12-05,'007\r\n");
});

it('ALR-03-partial BLK-05-partial SAY-06-partial the file has the columns that the list shows, and says of each alert where it was and why it ended', async () => {
  const { admin, routers } = await open(1);
  const rule = await addRule(admin, { forSeconds: 0 });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
  });
  await app.owner.query("update alerts set place = '=Depot()' where device_id = $1", [routers[0]!.deviceId]);
  later(300_000);
  const changed = await app.call('PUT', `${alertsPath}/rules/${rule.id}`, { as: admin, body: { ...rule, enabled: false } });
  expect(changed.status).toBe(200);
  await run();
  const file = async (language: string) => {
    const query = { language, columns: 'rule,value,state,resolution,duration,place' };
    return (await app.call('GET', `${alertsPath}/export`, { as: admin, query })).text.slice(1).trim().split('\r\n');
  };
  expect(await file('en-US')).toEqual([
    'Rule,Value,State,Ended because,Duration (min),Last place',
    "Weak signal,−120 dBm,Resolved,Rule changed,5,'=Depot()",
  ]);
  expect((await file('zh-TW'))[1]).toContain('已解除,規則已變更,5,');
  const lies = (latitude: number) =>
    app.owner.query('update alerts set place = null, latitude = $2, longitude = -87.68672 where device_id = $1', [
      routers[0]!.deviceId,
      latitude,
    ]);
  // The street, as in the list; coordinates where nothing is known.
  await lies(41.97626);
  expect((await file('en-US'))[1]).toContain(',"Foster Avenue at Western Avenue, inside Chicago"');
  await lies(1.5);
  expect((await file('en-US'))[1]).toContain('"1.50000, -87.68672"');
  const unknown = await app.call('GET', `${alertsPath}/export`, { as: admin, query: { columns: 'secret' } });
  expect(unknown.status).toBe(400);
});

it('ALR-03-partial ATT-01-partial alerts are on the timeline of their device, on the map and in what needs attention', async () => {
  const { main, admin, routers, alerts: own } = await firing(2);
  const dm = '/data_manager/v1/dm';
  const attention = async (as: Actor) => (await app.call('GET', `${dm}/attention`, { as })).json.result.alerts;
  expect(await attention(admin)).toEqual({ firing: 2, critical: 0 });
  expect(await attention(app.person(main, 'main'))).toEqual({ firing: 2, critical: 0 });
  // Those of a storm are one row of the inbox.
  const storm = 'update alerts set storm_id = $2 where organization_id = (select organization_id from alerts where id = $1)';
  await app.owner.query(storm, [own[0]!.id, own[0]!.id]);
  later(1_000);
  expect(await attention(admin)).toEqual({ firing: 1, critical: 0 });
  expect((await app.call('GET', `${alertsPath}/count`, { as: admin })).json.result).toMatchObject({ firing: 1 });
  await app.owner.query(storm, [own[0]!.id, null]);
  const mine = own.find(({ device }) => device === routers[0]!.deviceId)!;
  later(1_000);
  await app.call('POST', `${alertsPath}/acknowledge`, { as: admin, body: { alerts: [mine.id], note: 'On it' } });
  expect(await attention(admin)).toEqual({ firing: 1, critical: 0 });
  await app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at) values ($1, now(), 1, 1, false, now())`,
    [routers[0]!.routerId],
  );
  await app.owner.query("update router_ownership set owned_from = '2026-01-01' where router_id = $1", [routers[0]!.routerId]);
  const map = (await app.call('GET', `${dm}/positions`, { as: admin })).json.result.vehicles;
  expect(map.map((vehicle: unknown[]) => [vehicle[0], vehicle[11]])).toEqual([[routers[0]!.deviceId, 'warning']]);
  later(1_000);
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -90);
    await run();
  });
  const events = await app.call('GET', `${dm}/device/timeline`, {
    as: admin,
    query: { device: routers[0]!.deviceId, kind: 'alert' },
  });
  expect(events.json.result).toEqual([
    expect.objectContaining({
      kind: 'alert',
      alert: mine.id,
      label: 'Weak signal',
      state: 'resolved',
      reason: 'cleared',
      severity: 'warning',
    }),
    expect.objectContaining({ kind: 'alert', state: 'acknowledged', reason: 'On it', by: admin.email }),
    expect.objectContaining({ kind: 'alert', state: 'firing', by: '', place: null }),
  ]);
});

it('resolved alerts are deleted after 90 days', async () => {
  const { admin, scope } = await firing(1);
  await app.owner.query("update alerts set state = 'resolved', resolved_at = $2 where organization_id = $1", [
    scope.organizationId,
    new Date(app.clock.now().getTime() - (alerts.ALERT_DAYS + 1) * 86_400_000),
  ]);
  const { purgeAlerts } = await import('./alerts.job.ts');
  await purgeAlerts(app.database, app.clock.now());
  expect(await listed(admin)).toEqual([]);
});
