import { expect, it } from 'vitest';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import { alertsPath, MINUTE_MS, useAlertFleet } from '../../testing/alert-fleet.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { MOST_VIEWS } from './alert-states.job.queries.ts';
import { endOutOfViews, fireAndResolve } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule, statesOf } = useAlertFleet(app);

/** A shared view of the devices with this serial number. */
async function addView({ mainAccountId, organizationId }: OrganizationScope, serial: string): Promise<string> {
  const view = newId();
  await app.owner.query(
    `insert into saved_views (id, main_account_id, organization_id, list, name, is_shared, content)
     values ($1, $2, $3, 'devices', $4, true, $5)`,
    [view, mainAccountId, organizationId, view, { search: { search: serial, field: 'serial' }, layout: {} }],
  );
  return view;
}

it('ALR-01-partial rules on more views than one page fire and end at once, all of them', async () => {
  const { scope, admin, routers } = await open(1);
  const { serial } = routers[0]!;
  const { id } = await addRule(admin, { scope: { kind: 'view', view: await addView(scope, serial) }, forSeconds: 0 });
  for (let more = 0; more < MOST_VIEWS; more++)
    await app.owner.query(
      `insert into alert_rules select r.* from alert_rules s,
         jsonb_populate_record(s, jsonb_build_object('id', $2::uuid, 'name', $3::text, 'scope_key', $3::text)) r where s.id = $1`,
      [id, newId(), await addView(scope, serial)],
    );
  const firing = async () => (await app.call('GET', `${alertsPath}/count`, { as: admin })).json.result.firing;
  await withTelemetry((telemetry) => measure(telemetry, routers[0]!, -120));
  await run();
  expect(await firing()).toBe(MOST_VIEWS + 1);
  await app.owner.query(`update saved_views set content = '{"search": {"search": "none", "field": "serial"}, "layout": {}}'`);
  await endOutOfViews(app, app.clock.now());
  await run();
  expect(await firing()).toBe(0);
});

it('ALR-01-partial a view that fails delays its own rules alone, and is logged', async () => {
  const [first, second] = [await open(1), await open(1)];
  const failing = await addView(first.scope, first.routers[0]!.serial);
  const working = await addView(second.scope, second.routers[0]!.serial);
  await addRule(first.admin, { scope: { kind: 'view', view: failing }, forSeconds: 0 });
  await addRule(second.admin, { scope: { kind: 'view', view: working }, forSeconds: 0 });
  const states = async () => [await statesOf(first.admin), await statesOf(second.admin)];
  const setContent = (view: string, content: object) =>
    app.owner.query('update saved_views set content = $2 where id = $1', [view, content]);
  const { rows } = await app.owner.query('select content from saved_views where id = $1', [failing]);
  const logged: unknown[] = [];
  const deps = { ...app, log: { ...silentLog, warn: (details: object) => void logged.push(details) } };
  const look = async () => {
    await endOutOfViews(deps, app.clock.now());
    await fireAndResolve(deps, app.clock.now());
  };
  await withTelemetry(async (telemetry) => {
    for (const { routers } of [first, second]) await measure(telemetry, routers[0]!, -120);
  });
  await setContent(failing, {});
  await look();
  expect(await states()).toEqual([[], ['firing']]);
  expect(logged).toEqual([expect.objectContaining({ view: failing })]);
  // It is looked at again within a minute.
  await setContent(failing, rows[0].content);
  later(MINUTE_MS);
  await look();
  expect(await states()).toEqual([['firing'], ['firing']]);
  // While it fails, nothing is known of its devices, and the devices that left the other one are seen.
  await setContent(failing, {});
  await setContent(working, { search: { search: 'none', field: 'serial' }, layout: {} });
  await look();
  expect(await states()).toEqual([['firing'], ['out-of-scope']]);
});
