import type { alerts, tools } from '@highline/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, until } from '../../testing/call.ts';
import { syncTests } from './alert-tests.job.ts';
import { compareAll } from './alerts.job.ts';
import { openRemoteFixture, type ReachableDevice, type RemoteFixture } from '../../testing/remote-fixture.ts';

let fixture: RemoteFixture;
let device: ReachableDevice;
beforeAll(async () => {
  fixture = await openRemoteFixture();
  device = await fixture.device();
});
afterAll(() => fixture.close());

const call = async <T>(method: string, path: string, body?: object): Promise<{ status: number; json: T }> => {
  const org = fixture.scope.organizationId;
  const query = body === undefined ? `${path.includes('?') ? '&' : '?'}org=${org}` : '';
  const response = await send(`${fixture.server.url}/data_manager/v1/${path}${query}`, {
    method,
    bearer: fixture.bearer,
    ...(body === undefined ? {} : { body: { org, ...body } }),
  });
  return { status: response.status, json: response.json<T>() };
};

const ping = (host: string) => ({ tool: 'ping', host, ipVersion: '4', count: 1, bytes: 32 }) as const;
const rule = (name: string, condition: object, more: object = {}) => ({
  name,
  enabled: true,
  severity: 'warning',
  condition,
  forSeconds: 0,
  scope: { kind: 'all' },
  hours: null,
  channels: { mails: [], escalation: null, quiet: null },
  ...more,
});
const tested = (host: string, slowerThan: number | null = null) => ({
  kind: 'test',
  test: ping(host),
  everyMinutes: 15,
  slowerThan,
});
const addRule = async (input: object): Promise<alerts.Rule> => {
  const { status, json } = await call<{ result: alerts.Rule }>('POST', 'alerts/rules', input);
  expect([status, json]).toMatchObject([200, {}]);
  await sync();
  return json.result;
};
/** The jobs that run twice a minute. */
const sync = () => syncTests(fixture.server.database, new Date());
const runsOf = async ({ id }: Pick<alerts.Rule, 'id'>) =>
  (await call<{ result: tools.ToolRun[] }>('GET', `dm/devices/${device.id}/tools?limit=100`)).json.result.filter(
    (run) => run.rule === id,
  );
const firstRun = async (of: Pick<alerts.Rule, 'id'>) =>
  until(async () => (await runsOf(of)).find(({ state }) => state !== 'running'));
const firing = async ({ id }: Pick<alerts.Rule, 'id'>) => {
  await compareAll(fixture.server.database, new Date());
  return (await call<{ result: alerts.Alert[] }>('GET', `alerts?limit=50&rule=${id}&state=firing`)).json.result;
};
/** The time of the next test has come. */
const makeDue = ({ id }: Pick<alerts.Rule, 'id'>) =>
  fixture.server.owner.query("update alert_tests set due_at = now() - interval '1 second' where rule_id = $1", [id]);

test('LIV-04-partial a rule runs a ping at its interval, keeps the results with the others, and fires when it fails', async () => {
  const reached = await addRule(rule('Depot reached', tested('127.0.0.1')));
  expect(reached.actsFor).toMatch(/^person-\d+@highline\.invalid$/u);
  const run = await firstRun(reached);
  expect(run).toMatchObject({ by: 'Depot reached', rule: reached.id, state: 'done', result: { tool: 'ping', answered: 1 } });
  // No name of this domain exists (RFC 2606).
  const lost = await addRule(rule('Name lost', tested('depot.invalid')));
  await firstRun(lost);
  const [alert] = await until(async () => {
    const found = await firing(lost);
    return found.length > 0 ? found : undefined;
  });
  expect(alert).toMatchObject({ kind: 'test', device: device.id });
  expect(await firing(reached)).toEqual([]);
  // Only one until the interval has passed, and the next one is compared with it.
  expect(await runsOf(reached)).toHaveLength(1);
  await makeDue(reached);
  await until(async () => (await runsOf(reached)).length === 2 || undefined);
  const { json } = await call<{ result: { earlier: tools.ToolRun[] } }>('GET', `dm/tools/${(await runsOf(reached))[0]!.id}`);
  expect(json.result.earlier.map(({ id }) => id)).toContain(run.id);
});

test('LIV-04-partial a rule fires when its test is slower than its limit, and clears after it was changed', async () => {
  const slow = await addRule(rule('Slow', tested('127.0.0.1', 60_000)));
  await firstRun(slow);
  // As if the network were slow.
  await fixture.server.owner.query('update tool_runs set milliseconds = 90000 where rule_id = $1', [slow.id]);
  const [alert] = await until(async () => {
    const found = await firing(slow);
    return found.length > 0 ? found : undefined;
  });
  expect(alert!.value).toBe(90_000);
  await call('PUT', `alerts/rules/${slow.id}`, rule('Slow', tested('127.0.0.2', 60_000)));
  await sync();
  await until(async () => (await firing(slow)).length === 0 || undefined);
  expect((await until(async () => ((await runsOf(slow)).length === 2 ? runsOf(slow) : undefined)))[0]!.input).toEqual(
    ping('127.0.0.2'),
  );
});

test('LIV-04-partial where who saved a rule may not run its test any more, no run is begun, and an alert and a mail say so until it is saved again', async () => {
  const { owner } = fixture.server;
  await fixture.another('admin');
  const stopping = await addRule(rule('Stops', tested('127.0.0.1')));
  await firstRun(stopping);
  const { rows } = await owner.query<{ roles: string[] }>('select roles from accounts where email = $1', [stopping.actsFor]);
  const give = (roles: readonly string[]) =>
    owner.query('update accounts set roles = $2 where email = $1', [stopping.actsFor, roles]);
  const stopped = async () =>
    (await call<{ result: alerts.Alert[] }>('GET', `alerts?limit=50&rule=${stopping.id}&kind=tests-stopped`)).json.result;
  const isOver = async () => {
    const { rows: due } = await owner.query('select 1 from alert_tests where rule_id = $1 and due_at > now()', [stopping.id]);
    return due.length > 0 || undefined;
  };
  await give([]);
  for (let turn = 0; turn < 2; turn += 1) {
    await makeDue(stopping);
    await until(isOver);
  }
  await give(rows[0]!.roles);
  expect(await runsOf(stopping)).toHaveLength(1);
  expect(await stopped()).toMatchObject([
    { state: 'firing', ruleName: 'Tests of a rule stopped', vehicle_number: 'Stops', device: '' },
  ]);
  const mails = await owner.query("select 1 from mails where subject like 'Tests of a rule stopped%'");
  expect(mails.rowCount).toBe(1);
  await call('PUT', `alerts/rules/${stopping.id}`, rule('Stops', tested('127.0.0.1')));
  await sync();
  expect(await stopped()).toMatchObject([{ state: 'resolved' }]);
  await makeDue(stopping);
  await until(async () => (await runsOf(stopping)).length === 2 || undefined);
  await call('DELETE', `alerts/rules/${stopping.id}`, {});
});

test('LIV-04-partial WIN-03-partial a rule runs a traceroute once when its alert fires', async () => {
  const action = {
    does: { kind: 'test', test: { tool: 'traceroute', host: '127.0.0.1', ipVersion: '4', hops: 3 } },
    dryRun: false,
    cooldownMinutes: 60,
    atOnce: 5,
    perDay: 20,
  };
  const acting = await addRule(rule('Trace', tested('trace.invalid'), { action }));
  await firstRun(acting);
  await until(async () => (await firing(acting)).length > 0 || undefined);
  const trace = await until(async () =>
    (await runsOf(acting)).find(({ input, state }) => input.tool === 'traceroute' && state === 'done'),
  );
  expect(trace.result).toMatchObject({ status: 'complete', hops: [{ address: '127.0.0.1' }] });
  const { rows } = await fixture.server.owner.query('select 1 from alert_tests where rule_id = $1 and is_once', [acting.id]);
  expect(rows).toEqual([]);
});

test('LIV-04-partial a rule that tests watches no view, and ends with its devices and itself', async () => {
  const view = await call<{ error: { key: string; field: string } }>(
    'POST',
    'alerts/rules',
    rule('View', tested('127.0.0.1'), { scope: { kind: 'view', view: 'x' } }),
  );
  expect(view.json.error).toMatchObject({ key: 'alert.scope_not_found', field: 'scope.view' });
  const ending = await addRule(rule('Ending', tested('127.0.0.1')));
  await firstRun(ending);
  await call('DELETE', `alerts/rules/${ending.id}`);
  await sync();
  await until(async () => {
    const { rows } = await fixture.server.owner.query('select 1 from alert_tests where rule_id = $1', [ending.id]);
    return rows.length === 0 || undefined;
  });
});

test('LIV-04-partial an organization says which addresses may be tested, for users and for rules', async () => {
  const running = await addRule(rule('Restricted later', tested('127.0.0.1')));
  await firstRun(running);
  const save = (allow: string, ranges: string[] = []) =>
    call<{ result: tools.ToolTargets; error: { key: string } }>('PUT', 'dm/tool-targets', { allow, ranges });
  const run = async (input: object) => {
    const { json } = await call<{ error?: { key: string } }>('POST', `dm/devices/${device.id}/tools`, { input });
    return json.error?.key;
  };
  expect((await call<object>('GET', 'dm/tool-targets')).json).toMatchObject({ result: { allow: 'any', ranges: [] } });
  expect((await save('listed', ['10.0.0.0/33'])).json.error.key).toBe('tool.range_invalid');
  expect((await save('listed', ['192.0.2.0/24', '2001:DB8::/32'])).json.result.ranges).toEqual(['192.0.2.0/24', '2001:db8::/32']);
  for (const host of ['127.0.0.1', 'depot.example', '198.51.100.1', '255.255.255.255', '0300.0.2.1', '::1'])
    expect([host, await run(ping(host))]).toEqual([host, 'tool.target_not_allowed']);
  expect(await run({ tool: 'dns', host: 'depot.example', server: '127.0.0.1:53' })).toBe('tool.target_not_allowed');
  const rejected = await call<{ error: object }>('POST', 'alerts/rules', rule('Rejected', tested('127.0.0.1')));
  expect(rejected.json.error).toMatchObject({ key: 'tool.target_not_allowed', field: 'condition.test' });
  await makeDue(running);
  expect(await until(async () => (await runsOf(running)).find(({ state }) => state === 'failed'))).toMatchObject({
    failure: { cause: 'not-allowed' },
  });
  await save('public');
  for (const host of ['10.0.0.1', '169.254.1.1', '224.0.0.1', 'fe80::1', '::ffff:127.0.0.1'])
    expect([host, await run(ping(host))]).toEqual([host, 'tool.target_not_allowed']);
  await save('any');
});
