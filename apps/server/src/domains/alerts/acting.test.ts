import { randomBytes } from 'node:crypto';
import type { alerts, esims } from '@highline/contract';
import { startAgent, type RouterHandle } from '@highline/router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, until } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startCallReceiver, type CallReceiver } from '../../testing/call-receiver.ts';
import { compareAll } from './index.ts';

// A whole server, a router over the real protocol, and a receiver of webhooks.

let server: TestServer;
let receiver: CallReceiver;
let agent: RouterHandle;
let bearer: string;
let device: string;
const serial = 'ACT00001';

beforeAll(async () => {
  server = await startTestServer({ environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } });
  receiver = await startCallReceiver();
  const main = (await server.seeding.mainAccount('Home')).scope;
  const scope = await server.seeding.organization(main, 'Own');
  bearer = await server.seeding.bearer(await server.seeding.account(scope, 'admin@highline.invalid', 'admin'));
  const mac = randomBytes(6).toString('hex').toUpperCase();
  const [router] = await server.seeding.routers(main, [{ serial, mac }]);
  [device] = (await server.seeding.devices(scope, [{ serial, mac }])) as [string];
  const backoff = { minMs: 10, maxMs: 50, rejectedMs: 100, serverRestartMs: 100 };
  const timing = { backoff, bootMs: 50, valueChangePollMs: 50, profileMs: 40, callHomeMs: 5_000 };
  const identity = { serial, mac, secret: router!.secret, model: 'HR-500' };
  agent = startAgent({ server: server.url.replace('http', 'ws'), router: identity, timing });
  await until(async () => (await eid()) !== null);
});
afterAll(async () => {
  await agent.stop();
  await receiver.close();
  await server.close();
});

const eid = async () => (await server.owner.query<{ eid: string | null }>('select eid from devices')).rows[0]!.eid;
async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await send(`${server.url}/data_manager/v1/${path}`, {
    method,
    bearer,
    ...(body === undefined ? {} : { body }),
  });
  expect(response.status, response.text).toBe(200);
  return response.json<{ result: T }>().result;
}
const input = (does: object, more: object = {}) => ({
  name: 'Subscription ends',
  enabled: true,
  severity: 'warning',
  condition: { kind: 'subscription-ends', days: 30 },
  forSeconds: 0,
  scope: { kind: 'all' },
  hours: null,
  channels: { mails: [], escalation: null, quiet: null },
  action: { does, dryRun: false, cooldownMinutes: 60, atOnce: 5, perDay: 20, ...more },
});
const logOf = async ({ id }: Pick<alerts.Rule, 'id'>) =>
  (await call<alerts.AlertAction[]>('GET', 'alerts/actions?limit=50&sort=-at')).filter(({ rule }) => rule === id);
const outcomes = async (rule: Pick<alerts.Rule, 'id'>) =>
  (await logOf(rule)).map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`)).toSorted();
const compare = () => compareAll(server.database, new Date());
const firing = async ({ id }: Pick<alerts.Rule, 'id'>) =>
  (await call<alerts.Alert[]>('GET', `alerts?limit=50&rule=${id}&state=firing`)).length > 0;
/** The condition begins, or ends. */
async function end(rule: Pick<alerts.Rule, 'id'>, holds: boolean): Promise<void> {
  await server.owner.query('update devices set expires_on = current_date + $2::integer where id = $1', [device, holds ? 5 : 500]);
  await until(async () => {
    await compare();
    return (await firing(rule)) === holds;
  });
}
/** A rule that acts when its alert fires; what it did is in the log. */
async function act(does: object, more: object = {}): Promise<alerts.Rule> {
  const rule = await call<alerts.Rule>('POST', 'alerts/rules', input(does, more));
  await end(rule, true);
  await until(async () => (await logOf(rule)).some(({ state }) => state !== 'waiting'));
  return rule;
}
const remove = ({ id }: alerts.Rule) => call('DELETE', `alerts/rules/${id}`);
const boots = async () => (await server.owner.query("select 1 from connectivity where kind = 'boot'")).rowCount ?? 0;
const profiles = () => eid().then((own) => call<esims.Profile[]>('GET', `dm/profiles?serial=${serial}&eid=${own!}`));
const sentKinds = async () =>
  (await server.owner.query<{ kind: string; state: string }>('select kind, state from sent_commands order by id')).rows.map(
    ({ kind, state }) => `${kind} ${state}`,
  );

test('WIN-03 a rule acts only when that is switched on: it restarts the router or its modem, switches the profile, runs a command and calls a webhook, within its limits, and its log says what it did', async () => {
  const off = await call<alerts.Rule>('POST', 'alerts/rules', { ...input({ kind: 'send', send: 'reboot' }), action: undefined });
  await end(off, true);
  expect(off.action).toBeNull();
  expect(await logOf(off)).toEqual([]);
  await remove(off);

  const hook = { name: 'Automation', url: `${receiver.url}/act`, format: 'standard', events: [] };
  const webhook = (await call<{ id: string }>('POST', 'dm/webhooks', hook)).id;
  const calling = { kind: 'webhook', webhook };

  // A dry run says what it would do, and does nothing.
  const dry = await act(calling, { dryRun: true });
  expect(await outcomes(dry)).toEqual(['dry-run']);
  await remove(dry);
  expect(receiver.calls).toEqual([]);

  // One that acts: once, then not within its cool-down, also when its alert comes back.
  const hooked = await act(calling);
  await until(() => receiver.calls.length === 1);
  expect(JSON.parse(receiver.calls[0]!.body)).toMatchObject({ type: 'alert.action', data: { device: { serial } } });
  await end(hooked, false);
  await end(hooked, true);
  await until(async () => (await outcomes(hooked)).length === 2);
  await expect.poll(() => outcomes(hooked)).toEqual(['skipped: cool-down', 'started']);
  expect((await logOf(hooked)).at(-1)).toMatchObject({ ruleName: 'Subscription ends', serial_number: serial, does: 'webhook' });
  await remove(hooked);

  // No more than so many in a day.
  const capped = await act(calling, { cooldownMinutes: 5, perDay: 1 });
  await server.owner.query("update alert_actions set decided_at = decided_at - interval '10 minutes' where rule_id = $1", [
    capped.id,
  ]);
  await end(capped, false);
  await end(capped, true);
  await expect.poll(() => outcomes(capped)).toEqual(['skipped: day-limit', 'started']);
  await remove(capped);
  expect(receiver.calls).toHaveLength(2);

  // Within a window: it waits for it like any other command.
  const window = { zone: 'UTC', uplinks: ['satellite'] };
  const modem = await act({ kind: 'send', send: 'restart-modem', window });
  await expect.poll(sentKinds).toEqual(['restart-modem waiting']);
  await server.owner.query('update sent_commands set work_window = null, due_at = now()');
  await expect.poll(sentKinds).toEqual(['restart-modem done']);
  await remove(modem);
  await agent.whenConnected();

  const [inUse] = await profiles();
  const other = await call<esims.Profile>('POST', 'dm/profile/', {
    serial,
    eid: (await eid())!,
    ac: '1$smdp.example.com$ACT-1',
    apn: 'fleet',
  });
  const statusOf = async (pk: string) => (await profiles()).find((each) => each.pk === pk)?.status;
  await expect.poll(() => statusOf(other.pk)).toBe('Activated');
  expect(inUse!.act).toBe(true);
  const switched = await act({ kind: 'profile', window });
  expect(await outcomes(switched)).toEqual(['started']);
  await expect.poll(() => profiles()).toContainEqual(expect.objectContaining({ pk: other.pk, reason: 'window-uplink', window }));
  // Another planned switch does not take its place.
  await remove(switched);
  const second = await act({ kind: 'profile', window });
  expect(await outcomes(second)).toEqual(['skipped: already-waiting']);
  await remove(second);
  await server.owner.query('update esim_profiles set use_window = null, due_at = now() where use_window is not null');
  await expect.poll(() => statusOf(other.pk)).toBe('In Use');
  await agent.whenConnected();

  const before = await boots();
  const command = (await call<{ id: string }>('POST', 'dm/commands', { name: 'Restart it', kind: 'reboot' })).id;
  const ran = await act({ kind: 'command', command });
  await expect.poll(boots).toBe(before + 1);
  await remove(ran);
  await agent.whenConnected();

  const restarted = await act({ kind: 'send', send: 'reboot' });
  expect(await outcomes(restarted)).toEqual(['started']);
  await expect.poll(boots).toBe(before + 2);
  expect(await sentKinds()).toContain('reboot done');
  const actions = await server.owner.query<{ action: string }>(
    "select action from audit_entries where action like 'Alert rule%'",
  );
  expect(actions.rows.length).toBeGreaterThanOrEqual(6);
});
