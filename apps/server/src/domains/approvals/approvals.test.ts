import {
  approvals as calls,
  DEFAULT_GROUP_KEY,
  devices as deviceCalls,
  groups,
  roles,
  rollouts,
  routerBackups,
  routerSettings,
  sentCommands,
  visits,
  type Operation,
} from '@highline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createMovingClock } from '../../testing/call.ts';
import { routersNamed, type HomeRouter } from '../../testing/home.ts';
import { inject, type TestCall } from '../../testing/inject.ts';
import { PEOPLES_PASSWORD as password } from '../../testing/second-factor.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const clock = createMovingClock();
const nothing = { rolloutsAbove: null, factoryReset: false, settings: false, deletion: false };
const DELETE = { id: 'organizations.delete', method: 'DELETE', path: '/data_manager/v1/dm/org' } as const;

let server: TestServer;
let main: MainScope;
let organization: OrganizationScope;
let [ada, ben]: Person[] = [];
let people = 0;
let count = 0;

interface Person {
  readonly id: string;
  readonly email: string;
  readonly bearer: string;
}
type Call = Pick<Operation, 'method' | 'path'>;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
beforeEach(async () => {
  count += 1;
  main = (await server.seeding.mainAccount(`Home ${count}`)).scope;
  organization = await server.seeding.organization(main, `Approvals ${count}`);
  [ada, ben] = [await person('admin'), await person('admin')];
});
afterAll(() => server.close());

async function person(
  role: 'main' | 'admin' | 'user',
  scope: MainScope | OrganizationScope = role === 'main' ? main : organization,
) {
  people += 1;
  const email = `approver-${people}@highline.invalid`;
  const id = await server.seeding.account(scope, email, role, password);
  return { id, email, bearer: await server.seeding.bearer(id) };
}

const call = (operation: Call, { bearer }: Person, body?: unknown, more: TestCall & { id?: string } = {}) =>
  inject(server, operation.method, operation.path.replace('{approval}', more.id ?? '').replace('{group}', more.id ?? ''), {
    as: { sessionId: bearer },
    body,
    ...more,
  });
const outcomeOf = ({ status, json }: { readonly status: number; readonly json: { error?: { key: string } } }) =>
  status === 200 ? 'done' : json.error?.key;
const savePolicy = (by: Person, input: object, own = password) =>
  call(calls.saveApprovalPolicy, by, { ...nothing, ...input, password: own });
const listed = async (by: Person) =>
  ((await call({ method: 'GET', path: `${calls.listApprovals.path}?limit=50` }, by)).json as { result: calls.Approval[] }).result;
const onlyOne = async (by: Person) => {
  const [first, ...more] = await listed(by);
  expect(more).toEqual([]);
  return first!;
};
const decide = async (by: Person, request: calls.Approval, decision: calls.Decision = 'approve', reason?: string) =>
  outcomeOf(await call(calls.decideApproval, by, { decision, confirmation: request.confirmation, reason }, { id: request.id }));
const logOf = async (chain: string) =>
  (
    await server.owner.query<{ actor_email: string; action: string; actor_with: unknown }>(
      'select actor_email, action, actor_with from audit_entries where chain_id = $1 order by seq',
      [chain],
    )
  ).rows;

const fresh = routersNamed('APR');
/** A device of the organization. @returns its id */
async function addDevice(router: HomeRouter & { readonly group?: string }): Promise<string> {
  await server.seeding.routers(main, [router]);
  const [id] = await server.seeding.devices(organization, [router]);
  return id!;
}
/** A group with this many devices, and a config file. */
async function fleet(size: number) {
  const { seeding } = server;
  const key = await seeding.group(organization, `Depot ${count}`);
  const devices: string[] = [];
  for (let index = 0; index < size; index += 1) devices.push(await addDevice({ ...fresh(), group: key }));
  const file = await seeding.config(organization, { name: `depot-${count}.cfg` });
  return { key, devices, file };
}
const bind = (by: Person, { key, file }: { readonly key: string; readonly file: string }) =>
  call(rollouts.bindConfig, by, { org: organization.organizationId, group: key, config: file, schedule: 'immediate' });
const isBound = async (key: string) =>
  (await server.owner.query('select from bindings where group_key = $1 and ended_at is null', [key])).rowCount;

describe('IAM-07 a rollout above n routers', () => {
  test('TPL-03 of settings waits as well', async () => {
    expect(outcomeOf(await savePolicy(ada!, { rolloutsAbove: 2 }))).toBe('done');
    const group = await fleet(3);
    const at = { org: organization.organizationId, group: group.key };
    const values = [{ path: 'Time.NTPServer1', value: 'time.example.com' }];
    expect(outcomeOf(await call(routerSettings.saveSettings, ada!, { ...at, values }))).toBe('done');
    const roll = (by: Person) => call(rollouts.rollOutSettings, by, { ...at, version: 1 });
    expect(outcomeOf(await roll(ada!))).toBe('approval.waiting');
    expect(await isBound(group.key)).toBe(0);
    const request = await onlyOne(ben!);
    expect(request).toMatchObject({ rule: 'rollouts', routers: 3, by: ada!.email });
    // Its routers would get this as well, and neither of the two has seen it.
    const ofAll = { org: organization.organizationId, values: [{ path: 'Time.NTPServer2', value: 'other.example.com' }] };
    expect(outcomeOf(await call(routerSettings.saveSettings, ada!, ofAll))).toBe('done');
    expect(await decide(ben!, request)).toBe('approval.changed');
    expect(await isBound(group.key)).toBe(0);
    expect(await decide(ben!, await onlyOne(ben!))).toBe('done');
    expect(await isBound(group.key)).toBe(1);
  });

  test('HKS-04-partial a decision whose answer is lost after it was done is not answered as one that no longer waits', async () => {
    expect(outcomeOf(await savePolicy(ada!, { rolloutsAbove: 2 }))).toBe('done');
    const group = await fleet(3);
    await bind(ada!, group);
    const { id, confirmation } = await onlyOne(ben!);
    const once = { id, headers: { 'idempotency-key': `decision-${count}` } };
    const approve = async () => outcomeOf(await call(calls.decideApproval, ben!, { decision: 'approve', confirmation }, once));
    // The process ends before it stores the answer.
    await server.owner
      .query(`create function lose_answer() returns trigger language plpgsql as 'begin raise exception $$killed$$; end';
      create trigger lose_answer before update on idempotent_calls for each row when (new.status is not null) execute function lose_answer()`);
    expect(await approve()).toBe('server.fault');
    await server.owner.query('drop function lose_answer cascade');
    expect(await isBound(group.key)).toBe(1);
    expect(await approve()).toBe('idempotency.running');
    await server.owner.query('update idempotent_calls set leased_until = now() where key = $1', [`decision-${count}`]);
    expect(await approve()).toBe('idempotency.answer_lost');
  });

  test('waits for a second person, who sees what it does; then it is done, and the log names both', async () => {
    expect(outcomeOf(await savePolicy(ada!, { rolloutsAbove: 2 }))).toBe('done');
    const group = await fleet(3);
    const held = await bind(ada!, group);
    expect([held.status, outcomeOf(held)]).toEqual([409, 'approval.waiting']);
    expect(await isBound(group.key)).toBe(0);
    const request = await onlyOne(ben!);
    expect(request).toMatchObject({
      state: 'waiting',
      rule: 'rollouts',
      routers: 3,
      by: ada!.email,
      requester: { kind: 'home', role: 'admin', ownRole: null, company: `Approvals ${count}` },
      mayDecide: true,
      isOwn: false,
    });
    expect(request.acts[0]).toMatchObject({ key: 'approval.act_bind' });
    expect(request.names).toHaveLength(3);
    const [mail] = await server.mailsTo(ben!.email);
    expect(mail?.plain).toContain(`depot-${count}.cfg`);
    // The same again is the same request.
    const again = await bind(ada!, group);
    expect((again.json as { error: { detail: { approval: string } } }).error.detail.approval).toBe(request.id);
    expect(await decide(ben!, request)).toBe('done');
    expect(await isBound(group.key)).toBe(1);
    const entries = await logOf(organization.organizationId);
    expect(entries.find(({ action }) => action.startsWith('Bound'))).toMatchObject({
      actor_email: ada!.email,
      actor_with: [{ as: 'approval', email: ben!.email }],
    });
    expect(entries.at(-1)).toMatchObject({ actor_email: ben!.email });
    expect(entries.at(-1)!.action).toContain('Approved: ');
    expect(await onlyOne(ada!)).toMatchObject({ state: 'approved', decidedBy: ben!.email });
    expect((await server.mailsTo(ada!.email)).map(({ subject }) => subject)).toContain('Highline: your request was approved');
    expect(await decide(ben!, request)).toBe('approval.not_waiting');
  });

  test('requested by support says so, with the company that it comes from', async () => {
    await savePolicy(ada!, { rolloutsAbove: 2 });
    const engineer = await person('main');
    const opened = await call(visits.openVisit, ada!, { kind: 'support', role: 'admin', hours: 1 });
    const { id } = (opened.json as { result: visits.Visit }).result;
    await call({ method: 'POST', path: visits.enterVisit.path.replace('{visit}', id) }, engineer);
    expect(outcomeOf(await bind(engineer, await fleet(3)))).toBe('approval.waiting');
    expect((await onlyOne(ben!)).requester).toEqual({ kind: 'support', role: 'admin', ownRole: null, company: `Home ${count}` });
  });

  test('does not wait up to n routers, without a policy, or in another organization', async () => {
    const group = await fleet(3);
    expect(outcomeOf(await bind(ada!, group))).toBe('done');
    const home = organization;
    organization = await server.seeding.organization(main, `Other ${count}`);
    const other = await person('admin');
    await person('admin');
    expect(outcomeOf(await savePolicy(other, { rolloutsAbove: 0 }))).toBe('done');
    organization = home;
    expect(await listed(other)).toEqual([]);
    expect(outcomeOf(await savePolicy(ada!, { rolloutsAbove: 3 }))).toBe('done');
    const unbound = { path: rollouts.unbindConfig.path, method: rollouts.unbindConfig.method };
    expect(
      outcomeOf(await call({ ...unbound, path: `${unbound.path}?org=${home.organizationId}&group=${group.key}` }, ada!)),
    ).toBe('done');
    expect(outcomeOf(await bind(ada!, group))).toBe('done');
  });

  test('is approved by no one for themselves, in whatever session, nor by a program, a user, or another organization', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const group = await fleet(1);
    await bind(ada!, group);
    const request = await onlyOne(ada!);
    expect(request).toMatchObject({ isOwn: true, mayDecide: false });
    const second = { ...ada!, bearer: await server.seeding.bearer(ada!.id) };
    expect(await decide(ada!, request)).toBe('approval.own');
    expect(await decide(second, request)).toBe('approval.own');
    expect(await decide(await person('user'), request)).toBe('permission.denied');
    expect(await decide(await person('main'), request)).toBe('approval.not_found');
    const elsewhere = await server.seeding.organization(main, `Elsewhere ${count}`);
    expect(await decide(await person('admin', elsewhere), request)).toBe('approval.not_found');
    const limited = await person('admin');
    await server.owner.query(
      'insert into account_limits (account_id, organization_id, tags, updated_at) values ($1, $2, $3, now())',
      [limited.id, organization.organizationId, ['a']],
    );
    expect(await decide(limited, request)).toBe('permission.limited');
    expect(await isBound(group.key)).toBe(0);
  });

  test('that would touch something else by now says so, and asks again', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const group = await fleet(1);
    await bind(ada!, group);
    const request = await onlyOne(ben!);
    await addDevice({ ...fresh(), group: group.key });
    expect(await decide(ben!, request)).toBe('approval.changed');
    expect(await isBound(group.key)).toBe(0);
    const changed = await onlyOne(ben!);
    expect(changed).toMatchObject({ state: 'waiting', routers: 2 });
    expect(await decide(ben!, request)).toBe('approval.changed');
    expect(await decide(ben!, changed)).toBe('done');
    expect(await isBound(group.key)).toBe(1);
  });

  test('is done once where two approve it at once', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const group = await fleet(1);
    await bind(ada!, group);
    const request = await onlyOne(ben!);
    const third = await person('admin');
    const outcomes = await Promise.all([decide(ben!, request), decide(third, request)]);
    expect(outcomes.toSorted()).toEqual(['approval.not_waiting', 'done']);
    expect(await isBound(group.key)).toBe(1);
  });

  test('is neither lost nor done twice where the process ends between the act and the decision', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const group = await fleet(1);
    await bind(ada!, group);
    const request = await onlyOne(ben!);
    // The transaction of both ends before its commit.
    await server.owner
      .query(`create function end_here() returns trigger language plpgsql as $$ begin raise exception 'it ends here'; end $$;
      create trigger ends_here before update on approvals for each row when (new.state = 'approved') execute function end_here()`);
    expect(await decide(ben!, request)).not.toBe('done');
    await server.owner.query('drop trigger ends_here on approvals; drop function end_here()');
    expect([await isBound(group.key), (await onlyOne(ben!)).state]).toEqual([0, 'waiting']);
    expect(await decide(ben!, request)).toBe('done');
    expect(await isBound(group.key)).toBe(1);
  });

  test('is not done for a person who may not do it any more', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const group = await fleet(1);
    await bind(ada!, group);
    const request = await onlyOne(ben!);
    await server.owner.query(`update accounts set roles = $2 where id = $1`, [
      ada!.id,
      [`r.${organization.organizationId}.vendor`],
    ]);
    expect(await decide(ben!, request)).toBe('approval.requester');
    await server.owner.query('delete from sessions where account_id = $1', [ada!.id]);
    await server.owner.query('delete from accounts where id = $1', [ada!.id]);
    expect(await decide(ben!, request)).toBe('approval.requester');
    expect(await isBound(group.key)).toBe(0);
    expect(await decide(ben!, request, 'reject')).toBe('approval.reason');
    expect(await decide(ben!, request, 'reject', 'She has left')).toBe('done');
    expect(await onlyOne(ben!)).toMatchObject({ state: 'rejected', reason: 'She has left' });
  });

  test('is done with the rights that its author has now, also those that it needs besides its own', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const cy = await person('user');
    const role = async (rights: readonly string[]) => {
      const body = { name: `Rights ${rights.length}`, rights };
      const { json } = await call(roles.createRole, ada!, body);
      const path = roles.giveRole.path.replace('{id}', cy.id);
      expect(outcomeOf(await call({ method: roles.giveRole.method, path }, ada!, { role: json.result.id }))).toBe('done');
    };
    await role(['groups.read', 'groups.write', 'bindings.read', 'bindings.write']);
    const group = await fleet(1);
    const at = { org: organization.organizationId, config: group.file, schedule: 'immediate' };
    const saved = await call(groups.saveWholeGroup, cy, at, { id: group.key });
    expect(outcomeOf(saved)).toBe('approval.waiting');
    const request = await onlyOne(ben!);
    await role(['groups.read', 'groups.write']);
    expect(await decide(ben!, request)).toBe('permission.own_role');
    expect([await isBound(group.key), (await onlyOne(ben!)).state]).toEqual([0, 'waiting']);
    await role(['groups.read', 'groups.write', 'bindings.write']);
    expect(await decide(ben!, request)).toBe('done');
    expect(await isBound(group.key)).toBe(1);
  });

  test('is withdrawn by who requested it, and expires', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const group = await fleet(1);
    await bind(ada!, group);
    const request = await onlyOne(ben!);
    expect(await decide(ben!, request, 'withdraw')).toBe('permission.denied');
    expect(await decide(ada!, request, 'withdraw')).toBe('done');
    await bind(ada!, group);
    const [later] = await listed(ben!);
    await server.owner.query("update approvals set expires_at = now() - interval '1 hour' where id = $1", [later!.id]);
    expect(await decide(ben!, later!)).toBe('approval.not_waiting');
    expect(await isBound(group.key)).toBe(0);
  });

  test('waits as well as a group is saved or created, or when devices join a group that updates them', async () => {
    await savePolicy(ada!, { rolloutsAbove: 1 });
    const { key, file } = await fleet(2);
    const org = organization.organizationId;
    const saved = await call(groups.saveWholeGroup, ada!, { org, config: file, schedule: 'immediate' }, { id: key });
    expect(outcomeOf(saved)).toBe('approval.waiting');
    const joining = [await addDevice(fresh()), await addDevice(fresh())];
    const empty = await server.seeding.group(organization, `Empty ${count}`);
    expect(outcomeOf(await bind(ada!, { key: empty, file }))).toBe('done');
    const moved = await call(groups.saveGroup, ada!, { org, add: joining }, { id: empty });
    expect(outcomeOf(moved)).toBe('approval.waiting');
    for (const request of await listed(ben!)) expect(await decide(ben!, request)).toBe('done');
    expect(await isBound(key)).toBe(1);
    const { rows } = await server.owner.query('select from devices where group_key = $1', [empty]);
    expect(rows).toHaveLength(2);
  });
});

describe('IAM-07 devices that join a group that updates them', () => {
  const JOBS = '/data_manager/v1/dm/jobs';
  const groupOf = async (device: string) =>
    (await server.owner.query<{ group_key: string }>('select group_key from devices where id = $1', [device])).rows[0]!.group_key;
  const startJob = (action: object, selection: object) =>
    call({ method: 'POST', path: JOBS }, ada!, { org: organization.organizationId, action, selection });
  const follow = (id: string, what: 'undo' | 'retry') =>
    call({ method: 'POST', path: `${JOBS}/${id}/${what}` }, ada!, { org: organization.organizationId });
  /** Approve the only request, of two routers. */
  const approve = async () => {
    const request = (await listed(ben!)).find(({ state }) => state === 'waiting')!;
    expect(request).toMatchObject({ rule: 'rollouts', routers: 2, acts: [{ key: 'approval.act_move' }] });
    expect(await decide(ben!, request)).toBe('done');
  };

  test('wait as a job is undone, or tried again for those that failed', async () => {
    await savePolicy(ada!, { rolloutsAbove: 1 });
    const { key, devices, file } = await fleet(2);
    const empty = await server.seeding.group(organization, `Empty ${count}`);
    const moved = await startJob({ kind: 'move', group: empty }, { devices });
    expect(outcomeOf(moved)).toBe('done');
    const { id } = (moved.json as { result: { id: string } }).result;
    expect(outcomeOf(await bind(ada!, { key, file }))).toBe('done');
    expect(outcomeOf(await follow(id, 'undo'))).toBe('approval.waiting');
    expect(await groupOf(devices[0]!)).toBe(empty);
    await approve();
    expect(await Promise.all(devices.map(groupOf))).toEqual([key, key]);
    await server.owner.query("update bulk_job_items set state = 'failed', reason = 'internal' where job_id = $1", [id]);
    await server.owner.query("update bulk_jobs set failed = 2, done = 0, state = 'done' where id = $1", [id]);
    expect(outcomeOf(await bind(ada!, { key: empty, file }))).toBe('done');
    expect(outcomeOf(await follow(id, 'retry'))).toBe('approval.waiting');
    await approve();
    expect(await Promise.all(devices.map(groupOf))).toEqual([empty, empty]);
  });

  test.each<[string, (key: string, devices: readonly string[]) => Promise<Awaited<ReturnType<typeof call>>>]>([
    ['their group is deleted', (key) => call(groups.deleteGroups, ada!, { org: organization.organizationId, groups: [key] })],
    ['a job deletes their group', (key) => startJob({ kind: 'remove', list: 'groups' }, { rows: [key] })],
    [
      'they are removed from their group',
      (key, remove) => call(groups.saveGroup, ada!, { org: organization.organizationId, remove }, { id: key }),
    ],
  ])('wait as %s', async (_, leave) => {
    await savePolicy(ada!, { rolloutsAbove: 1 });
    const { key, devices, file } = await fleet(2);
    expect(outcomeOf(await bind(ada!, { key: DEFAULT_GROUP_KEY, file }))).toBe('done');
    expect(outcomeOf(await leave(key, devices))).toBe('approval.waiting');
    expect(await groupOf(devices[0]!)).toBe(key);
    await approve();
    await expect.poll(() => Promise.all(devices.map(groupOf))).toEqual([DEFAULT_GROUP_KEY, DEFAULT_GROUP_KEY]);
  });

  test('wait as a device is saved with another group', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const { devices, file } = await fleet(1);
    const empty = await server.seeding.group(organization, `Empty ${count}`);
    expect(outcomeOf(await bind(ada!, { key: empty, file }))).toBe('done');
    const body = { org: organization.organizationId, device: devices[0], group: empty };
    expect(outcomeOf(await call(deviceCalls.saveDevice, ada!, body))).toBe('approval.waiting');
    expect(await decide(ben!, await onlyOne(ben!))).toBe('done');
    expect(await groupOf(devices[0]!)).toBe(empty);
  });

  test('TPL-02-partial settings sent to many by commands of a job wait as a rollout does, also as it is tried again', async () => {
    await savePolicy(ada!, { rolloutsAbove: 1 });
    const { key, devices } = await fleet(2);
    const jobs = async () =>
      (await server.owner.query('select id from bulk_jobs where organization_id = $1 order by id', [organization.organizationId]))
        .rows;
    const send = { kind: 'send', send: 'apply-settings', wait: 24 };
    expect(outcomeOf(await startJob(send, { devices: devices.slice(1) }))).toBe('done');
    expect(outcomeOf(await startJob({ ...send, send: 'report' }, { filter: { group: key } }))).toBe('done');
    const before = (await jobs()).length;
    const waits = async (starting: ReturnType<typeof call>) => {
      expect(outcomeOf(await starting)).toBe('approval.waiting');
      const request = (await listed(ben!)).find(({ state }) => state === 'waiting')!;
      expect(request).toMatchObject({ rule: 'rollouts', routers: 2, acts: [{ key: 'approval.act_send_settings' }] });
      return request;
    };
    const request = await waits(startJob(send, { filter: { group: key } }));
    expect(await jobs()).toHaveLength(before);
    const values = [{ path: 'Time.NTPServer1', value: 'time.example.com' }];
    const saved = { org: organization.organizationId, group: key, values };
    expect(outcomeOf(await call(routerSettings.saveSettings, ada!, saved))).toBe('done');
    expect(await decide(ben!, request)).toBe('approval.changed');
    expect(await decide(ben!, await waits(startJob(send, { filter: { group: key } })))).toBe('done');
    expect(await jobs()).toHaveLength(before + 1);
    const { id } = (await jobs()).at(-1) as { id: string };
    await server.owner.query("update bulk_job_items set state = 'failed', reason = 'internal' where job_id = $1", [id]);
    await server.owner.query("update bulk_jobs set failed = 2, done = 0, state = 'done', ended_at = now() where id = $1", [id]);
    expect(await decide(ben!, await waits(follow(id, 'retry')))).toBe('done');
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const one = { org: organization.organizationId, device: devices[0], kind: 'apply-settings', wait: 24 };
    expect(outcomeOf(await call({ method: 'POST', path: '/data_manager/v1/dm/device/commands' }, ada!, one))).toBe(
      'approval.waiting',
    );
  });

  test.each<[string, (group: string, device: string) => ReturnType<typeof call>]>([
    [
      'a command to one device',
      (_, device) => {
        const body = { org: organization.organizationId, device, kind: 'apply-settings', wait: 24 };
        return call({ method: 'POST', path: '/data_manager/v1/dm/device/commands' }, ada!, body);
      },
    ],
    ['a job', (group) => startJob({ kind: 'send', send: 'apply-settings', wait: 24 }, { filter: { group } })],
    ['a rollout', (group) => call(rollouts.rollOutSettings, ada!, { org: organization.organizationId, group, version: 1 })],
  ])('TPL-03-partial settings of one device that are saved while %s waits are approved again', async (_, send) => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const { key, devices } = await fleet(1);
    const save = async (level: object, server1: string) => {
      const values = [{ path: 'Time.NTPServer1', value: server1 }];
      const body = { org: organization.organizationId, ...level, values };
      expect(outcomeOf(await call(routerSettings.saveSettings, ada!, body))).toBe('done');
    };
    await save({ group: key }, 'time.example.com');
    expect(outcomeOf(await send(key, devices[0]!))).toBe('approval.waiting');
    const request = await onlyOne(ben!);
    await save({ device: devices[0] }, 'other.example.com');
    expect(await decide(ben!, request)).toBe('approval.changed');
    // What others get does not matter.
    await save({ device: await addDevice(fresh()) }, 'third.example.com');
    expect(await decide(ben!, await onlyOne(ben!))).toBe('done');
  });
});

describe('IAM-07 what a person who is limited requests', () => {
  test('IAM-04-partial is done within the limit of now', async () => {
    await savePolicy(ada!, { settings: true });
    const cy = await person('admin');
    const router = fresh();
    const [depot, other] = [
      await server.seeding.group(organization, `Depot ${count}`),
      await server.seeding.group(organization, 'Other'),
    ];
    const device = await addDevice({ ...router, group: depot });
    await server.owner.query(
      `insert into router_backups (organization_id, id, device_id, router_id, serial, model, firmware, name, bytes, sha256, is_text, sealed,
         created_by, created_at, confirmed_at)
       select d.organization_id, d.id, d.id, d.router_id, d.serial, r.model, '', '', 1, 'ab', false, 'x', 'x@y.invalid', now(), now()
       from devices d join routers r on r.id = d.router_id where d.id = $1`,
      [device],
    );
    const limit = async (groups: readonly string[]) => {
      const path = `/dmp_aa/api/v1/accounts/${cy.id}/limit`;
      expect(outcomeOf(await call({ method: 'PUT', path }, ada!, { limitedTo: { groups, tags: [] } }))).toBe('done');
    };
    await limit([depot]);
    const path = routerBackups.restoreBackup.path.replace('{backup}', device);
    const body = { org: organization.organizationId, confirmation: router.serial, wait: 24 };
    expect(outcomeOf(await call({ method: routerBackups.restoreBackup.method, path }, cy, body))).toBe('approval.waiting');
    const request = await onlyOne(ben!);
    await limit([other]);
    expect(await decide(ben!, request)).toBe('backup.not_found');
    await limit([depot]);
    expect(await decide(ben!, request)).toBe('done');
    const { rows } = await server.owner.query('select kind from sent_commands where device_id = $1', [device]);
    expect(rows).toEqual([{ kind: 'restore-config' }]);
  });
});

describe('IAM-07 other acts', () => {
  test('a factory reset waits, and is not sent to a device that has left meanwhile', async () => {
    await savePolicy(ada!, { factoryReset: true });
    const router = fresh();
    const device = await addDevice(router);
    const body = { org: organization.organizationId, device, kind: 'factory-reset', wait: 24, confirmation: router.serial };
    expect(outcomeOf(await call(sentCommands.sendCommand, ada!, body))).toBe('approval.waiting');
    const request = await onlyOne(ben!);
    expect(request).toMatchObject({ rule: 'factoryReset', names: [router.serial], routers: 1 });
    await server.owner.query('update devices set archived_at = now() where id = $1', [device]);
    expect(await decide(ben!, request)).toBe('not_found');
    await server.owner.query('update devices set archived_at = null where id = $1', [device]);
    expect(await decide(ben!, request)).toBe('done');
    const { rows } = await server.owner.query<{ kind: string }>('select kind from sent_commands where device_id = $1', [device]);
    expect(rows.map(({ kind }) => kind)).toEqual(['factory-reset']);
  });

  test('settings that return to an earlier version wait; others do not', async () => {
    await savePolicy(ada!, { settings: true });
    const org = organization.organizationId;
    const save = (ssid: string) =>
      call({ method: 'PUT', path: '/data_manager/v1/dm/settings' }, ada!, {
        org,
        values: [{ path: 'WiFi.SSID[name=passengers].SSID', value: ssid }],
      });
    expect([outcomeOf(await save('First')), outcomeOf(await save('Second'))]).toEqual(['done', 'done']);
    expect(outcomeOf(await save('First'))).toBe('approval.waiting');
    const request = await onlyOne(ben!);
    expect(request.acts).toMatchObject([{ key: 'approval.act_restore', params: [expect.anything(), 1] }]);
    expect(outcomeOf(await save('Third'))).toBe('done');
    expect(await decide(ben!, request)).toBe('approval.changed');
    expect(await decide(ben!, await onlyOne(ben!))).toBe('done');
    const { json } = await call({ method: 'GET', path: `/data_manager/v1/dm/settings?org=${org}` }, ada!);
    expect(JSON.stringify(json.result)).toContain('First');
  });

  test('the deletion of an organization waits for a second person of its main account, one by one and as a job', async () => {
    const [carl, dora] = [await person('main'), await person('main')];
    expect(outcomeOf(await savePolicy(carl, { deletion: true, settings: true }))).toBe('approval.rule_elsewhere');
    expect(outcomeOf(await savePolicy(carl, { deletion: true }))).toBe('done');
    const org = organization.organizationId;
    expect(outcomeOf(await call(DELETE, carl, { realm: 'highline', org }))).toBe('approval.waiting');
    const job = { action: { kind: 'remove', list: 'organizations' }, selection: { rows: [org] } };
    expect(outcomeOf(await call({ method: 'POST', path: '/data_manager/v1/dm/jobs' }, carl, job))).toBe('approval.waiting');
    expect(await listed(ben!)).toEqual([]);
    const [asJob, alone] = await listed(dora);
    expect(asJob!.acts[0]!.params).toEqual([{ terms: [`Approvals ${count}`] }]);
    const isDeleted = async () =>
      (await server.owner.query<{ is: boolean }>('select deleted_at is not null as is from organizations where id = $1', [org]))
        .rows[0]!.is;
    expect(await isDeleted()).toBe(false);
    expect(await decide(dora, asJob!)).toBe('done');
    await expect.poll(isDeleted).toBe(true);
    expect(await decide(dora, alone!)).toBe('not_found');
  });

  test('the policy needs the own password and a second admin; to loosen it a second person as well', async () => {
    expect(outcomeOf(await savePolicy(ada!, { factoryReset: true }, 'wrong'))).toBe('account.wrong_password');
    // What is not of the company is not dropped without a word.
    expect(outcomeOf(await savePolicy(ada!, { deletion: true }))).toBe('approval.rule_elsewhere');
    expect(outcomeOf(await savePolicy(ada!, { factoryReset: true, rolloutsAbove: 10 }))).toBe('done');
    expect(outcomeOf(await savePolicy(ada!, { factoryReset: true, rolloutsAbove: 5 }))).toBe('done');
    expect(outcomeOf(await savePolicy(ada!, {}))).toBe('approval.waiting');
    const request = await onlyOne(ben!);
    expect(request.acts.map(({ key }) => key)).toEqual(['approval.rollouts_free', 'approval.reset_free']);
    const { rows } = await server.owner.query<{ call: string }>('select call::text from approvals where id = $1', [request.id]);
    expect(rows[0]!.call).not.toContain(password);
    expect(await decide(ada!, request)).toBe('approval.own');
    expect(await decide(ben!, request)).toBe('done');
    expect((await call(calls.getApprovalPolicy, ada!)).json.result).toMatchObject({ ...nothing, people: 2, by: ada!.email });
    await server.owner.query('delete from sessions where account_id = $1', [ben!.id]);
    await server.owner.query('delete from accounts where id = $1', [ben!.id]);
    expect(outcomeOf(await savePolicy(ada!, { factoryReset: true }))).toBe('approval.no_second');
  });

  test('no more than 200 requests of an organization wait', async () => {
    await savePolicy(ada!, { rolloutsAbove: 0 });
    const group = await fleet(1);
    await bind(ada!, group);
    await server.owner.query(
      `insert into approvals (id, company_id, main_account_id, organization_id, rule, operation, call, author, requested_by,
          requested_by_email, acts, routers, names, digest, created_at, expires_at)
        select gen_random_uuid(), company_id, main_account_id, organization_id, rule, operation, call, author, requested_by,
          requested_by_email, acts, routers, names, digest || n, created_at, expires_at from approvals, generate_series(1, 199) n
        where company_id = $1`,
      [organization.organizationId],
    );
    const other = await server.seeding.config(organization, { name: 'other.cfg' });
    expect(outcomeOf(await bind(ada!, { ...group, file: other }))).toBe('approval.too_many');
  });
});
