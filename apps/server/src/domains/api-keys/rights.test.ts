import {
  alerts,
  bulkJobs,
  eventRights,
  groups,
  isGivable,
  links,
  notificationRights,
  notifications,
  search,
  planRights,
  rightOf,
  rightsOfJob,
  sentCommands,
  usagePlans,
  webhooks,
  type Right,
  type Role,
} from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId, type Actor, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import type { AnyOperation } from '../../platform/calls/call.ts';
import { addDevice, routersNamed } from '../../testing/home.ts';
import { useTestApp, type TestResponse } from '../../testing/test-app.ts';
import { hashKey, hintOf, mintKey } from './key-text.ts';
import { createKeyReader } from './key-reader.queries.ts';

const app = useTestApp();
let own: OrganizationScope;
let main: MainScope;
let persons: Record<Role, Actor>;
let plan: string;

/** Ended jobs by what they did. */
const jobs = new Map<string, string>();

type Action = Parameters<typeof rightsOfJob>[0];
/** A new kind of job needs a line here: TypeScript rejects a table without it. */
const deviceActions: Readonly<Record<Exclude<bulkJobs.JobKind, 'remove'>, Action>> = {
  move: { kind: 'move', group: 'nowhere' } as Action,
  subscription: { kind: 'subscription', started: '01/01/2026', expired: '12/31/2026' } as Action,
  tags: { kind: 'tags', add: ['a'] } as Action,
  command: { kind: 'command', command: newId() } as Action,
  send: { kind: 'send', send: 'reboot' },
  delete: { kind: 'delete' },
};
const actions: readonly Action[] = [
  ...Object.values(deviceActions),
  ...bulkJobs.rowLists.map((list): Action => ({ kind: 'remove', list })),
];
const nameOf = (action: Action) => (action.kind === 'remove' ? `remove ${action.list}` : action.kind);

/** A call that makes something else act, and the right that this needs besides the call itself. It changes nothing where it is allowed. */
interface Case {
  readonly name: string;
  readonly operation: AnyOperation;
  readonly right: Right;
  /** Others that it needs too. */
  readonly also?: readonly Right[];
  readonly params?: () => string;
  readonly body: () => object;
}

const jobCases: readonly Case[] = actions.flatMap((action) => rightsOfJob(action).flatMap((right) => casesOfJob(action, right)));

function casesOfJob(action: Action, right: Right): readonly Case[] {
  const also = rightsOfJob(action).filter((other) => other !== right);
  const selection = action.kind === 'remove' ? { rows: [newId()] } : { devices: [newId()] };
  const start = {
    name: `start ${nameOf(action)}`,
    operation: bulkJobs.startJob,
    right,
    also,
    body: () => ({ action, selection }),
  };
  const follow = [bulkJobs.retryJob, bulkJobs.undoJob, bulkJobs.cancelJob].map((operation) => ({
    name: `${operation.id} ${nameOf(action)}`,
    operation,
    right,
    also,
    params: () => jobs.get(nameOf(action))!,
    body: () => ({}),
  }));
  return [start, ...follow];
}

const planFields = {
  name: 'Taken',
  cycleDay: 1,
  allowance: 1_000,
  isPool: false,
  costPerGb: null,
  currency: '',
  appliesTo: 'chosen',
  carrier: '',
  shares: [100],
  command: newId(),
};
const planCases: readonly Case[] = usagePlans.planActions.flatMap((action) => {
  const right = planRights[action];
  if (right === null) return [];
  const fields = { ...planFields, action };
  return [
    { name: `add a plan that does ${action}`, operation: usagePlans.addPlan, right, body: () => fields },
    { name: `try a plan that does ${action}`, operation: usagePlans.previewPlan, right, body: () => ({ ...fields, plan: null }) },
    {
      name: `save a plan that does ${action}`,
      operation: usagePlans.savePlan,
      right,
      params: () => plan,
      body: () => ({ ...fields, name: 'Other', version: 1 }),
    },
  ];
});

const eventCases: readonly Case[] = [
  ...webhooks.webhookEventTypes.map((event) => ({
    name: `a webhook for ${event}`,
    operation: webhooks.createWebhook,
    right: eventRights[event],
    body: () => ({ name: 'Hook', url: 'ftp://nowhere', events: [event] }),
  })),
  ...notifications.notificationEvents.map((event) => ({
    name: `mails about ${event}`,
    operation: notifications.saveRecipient,
    right: notificationRights[event],
    body: () => ({ mail: 'someone@example.com', events: [event], gids: ['nowhere'] }),
  })),
  {
    name: 'an alert rule with an address',
    operation: alerts.addRule,
    right: alerts.listAlerts,
    body: () => ({
      name: 'Offline',
      enabled: true,
      severity: 'info',
      condition: { kind: 'offline' },
      forSeconds: 60,
      scope: { kind: 'group', group: 'nowhere' },
      hours: null,
      channels: { mails: ['someone@example.com'], webhooks: [], escalation: null, quiet: null },
    }),
  },
];

const cases = [...jobCases, ...planCases, ...eventCases];

async function send({ operation, params, body }: Case, bearer: string, role: Role): Promise<TestResponse> {
  const path = operation.path.replaceAll(/\{\w+\}/gu, () => params!());
  const named = role === 'main' && operation.scope === 'organization' ? { org: own.organizationId } : {};
  return app.call(operation.method, path, { headers: { authorization: `Bearer ${bearer}` }, body: { ...body(), ...named } });
}

async function keyOf(person: Actor, operations: readonly string[]): Promise<string> {
  const secret = mintKey();
  const scope = person.role === 'main' ? main : own;
  const key = { id: newId(), name: 'Key', operations: [...operations], secret_hash: hashKey(secret), hint: hintOf(secret) };
  const made = { made_by: person.accountId, made_by_email: person.email, created_at: app.clock.now() };
  const owner = { main_account_id: scope.mainAccountId, organization_id: person.role === 'main' ? null : own.organizationId };
  await app.database.write((tx) =>
    tx
      .insertInto('api_keys')
      .values({ ...key, ...made, ...owner })
      .execute(),
  );
  return secret;
}

const outcome = ({ status, json }: TestResponse): unknown[] => [status, json?.error?.key, json?.error?.detail?.operation];

beforeAll(async () => {
  const home = await app.seeding.mainAccount('Home');
  main = home.scope;
  own = await app.seeding.organization(main, 'Own');
  const person = async (role: 'admin' | 'user') => {
    const accountId = await app.seeding.account(own, `${role}-of-rights@highline.invalid`, role);
    return { ...app.person(own, role), accountId };
  };
  persons = {
    main: { ...app.person(main, 'main'), accountId: home.actor.accountId },
    admin: await person('admin'),
    user: await person('user'),
  };
  for (const action of actions) {
    const { rows } = await app.owner.query(
      `insert into bulk_jobs (id, main_account_id, organization_id, action, is_undo, actor, state, due_at, created_at, ended_at)
       values ($1, $2, $3, $4, false, $5, 'done', now(), now(), now()) returning id`,
      [newId(), main.mainAccountId, own.organizationId, action, persons.admin],
    );
    jobs.set(nameOf(action), rows[0].id);
  }
  const body = { ...planFields, action: 'mail', command: null };
  const added = await app.call('POST', usagePlans.addPlan.path, { as: persons.admin, body });
  plan = added.json.result.id;
  await app.call('POST', usagePlans.addPlan.path, { as: persons.admin, body: { ...body, name: 'Other' } });
});

describe('HKS-02 what acts for a caller needs the rights of both', () => {
  test.each(['main', 'admin', 'user'] as const)(
    '%s starts, repeats and saves exactly what this role may do to one device',
    async (role) => {
      for (const each of cases) {
        const response = await send(each, persons[role].sessionId, role);
        const mayBoth = [each.operation, each.right, ...(each.also ?? [])].every(({ roles }) => roles.includes(role));
        if (!mayBoth) expect([each.name, ...outcome(response).slice(0, 2)]).toEqual([each.name, 403, 'permission.denied']);
        else expect([200, 400, 404, 409], `${each.name}: ${response.text}`).toContain(response.status);
      }
    },
  );

  test.each(['main', 'admin'] as const)(
    'an API key of %s needs the call and the one that does the same to one device',
    async (role) => {
      const sorted = cases.filter(({ operation, right, also = [] }) =>
        [operation, right, ...also].every(({ roles }) => roles.includes(role)),
      );
      const byCall = Map.groupBy(sorted, ({ operation }) => operation.id);
      const rights = [...new Set(sorted.map(({ right }) => right.id))];
      const keys = new Map<string, string>();
      for (const [id] of byCall) {
        // Everything but the one right, and the two of them.
        for (const right of rights)
          keys.set(`${id} without ${right}`, await keyOf(persons[role], [id, ...rights.filter((one) => one !== right)]));
        for (const right of rights) keys.set(`${id} and ${right}`, await keyOf(persons[role], [id, right]));
      }
      for (const each of sorted) {
        const [id, right] = [each.operation.id, each.right.id];
        if (id === right) continue;
        const without = await send(each, keys.get(`${id} without ${right}`)!, role);
        expect([each.name, ...outcome(without)]).toEqual([each.name, 403, 'key.not_allowed', right]);
        const all = [id, right, ...(each.also ?? []).map((other) => other.id)];
        const both = await send(each, all.length > 2 ? await keyOf(persons[role], all) : keys.get(`${id} and ${right}`)!, role);
        expect([200, 400, 404, 409], `${each.name}: ${both.text}`).toContain(both.status);
      }
    },
  );

  test('a job or plan that was stored before goes on only while its author, person or key, may do the same to one device', async () => {
    const { mayAct } = createKeyReader(app);
    const rights = [...new Set(cases.map(({ right }) => right))];
    const readKey = async (person: Actor, operations: readonly string[]) => {
      const { actor } = await createKeyReader(app).readKey(await keyOf(person, operations), '127.0.0.1');
      return { ...person, key: { ...actor.key, operations: undefined } };
    };
    for (const role of ['main', 'admin', 'user'] as const) {
      const person = persons[role];
      const [all, none] = [
        await readKey(
          person,
          rights.map(({ id }) => id),
        ),
        await readKey(person, ['jobs.start']),
      ];
      for (const right of rights) {
        const may = right.roles.includes(role);
        expect([right.id, role, await mayAct(app.database.read, person, right)]).toEqual([right.id, role, may]);
        expect([right.id, role, await mayAct(app.database.read, all, right)]).toEqual([right.id, role, may]);
        expect([right.id, role, await mayAct(app.database.read, none, right)]).toEqual([right.id, role, false]);
      }
    }
  });

  test('IAM-03 what was stored goes on while the own role of its author has the right, and no longer', async () => {
    const { mayAct } = createKeyReader(app);
    const rights = [...new Set(cases.map(({ right }) => right))].filter(
      (right) => right.roles.includes('admin') && isGivable(right),
    );
    const accountId = await app.seeding.account(own, 'own-role@highline.invalid', 'user');
    const author: Actor = { ...persons.admin, accountId };
    const id = newId();
    await app.owner.query(
      `insert into own_roles (id, main_account_id, organization_id, name, rights, created_by_email, created_at, updated_at)
        values ($1, $2, $3, 'Rights', '{devices.read}', '', now(), now())`,
      [id, own.mainAccountId, own.organizationId],
    );
    await app.owner.query('insert into account_own_roles (account_id, role_id) values ($1, $2)', [accountId, id]);
    for (const right of rights) {
      await app.owner.query('update own_roles set rights = $2 where id = $1', [id, [rightOf(right)]]);
      expect([right.id, await mayAct(app.database.read, author, right)]).toEqual([right.id, true]);
      await app.owner.query(`update own_roles set rights = '{places.read}' where id = $1`, [id]);
      expect([right.id, await mayAct(app.database.read, author, right)]).toEqual([right.id, false]);
    }
  });

  test('IAM-04 what was stored before a limit does not act any more, but on one device that its author sees', async () => {
    const { mayAct } = createKeyReader(app);
    const accountId = await app.seeding.account(own, 'limited-later@highline.invalid', 'admin');
    const author: Actor = { ...persons.admin, accountId };
    const group = await app.seeding.group(own, 'North of all');
    const { id: inside } = await addDevice(app, own, { serial: 'LM0001', mac: '02AA00000001' }, { group });
    const { id: outside } = await addDevice(app, own, { serial: 'LM0002', mac: '02AA00000002' });
    const may = (right: Right, deviceId?: string) => mayAct(app.database.read, author, right, deviceId);
    expect(await may(sentCommands.sendCommand)).toBe(true);
    await app.owner.query(
      `insert into account_limits (account_id, organization_id, tags, updated_at) values ($1, $2, '{}', now())`,
      [accountId, own.organizationId],
    );
    await app.owner.query('insert into account_limit_groups (account_id, organization_id, group_key) values ($1, $2, $3)', [
      accountId,
      own.organizationId,
      group,
    ]);
    expect(await may(sentCommands.sendCommand)).toBe(false);
    expect(await may(sentCommands.sendCommand, inside)).toBe(true);
    expect(await may(sentCommands.sendCommand, outside)).toBe(false);
    // A link is of what its author sees.
    expect(await may(links.createLink)).toBe(false);
    expect(await may(links.createLink, inside)).toBe(true);
    expect(await may(links.createLink, outside)).toBe(false);
  });

  test('BLK-04-partial a key finds what is on the lists that it may read, and never people', async () => {
    const group = await app.seeding.group(own, 'Sought depot');
    await app.seeding.account(own, 'sought@highline.invalid', 'user');
    const found = async (operations: readonly string[]) => {
      const headers = { authorization: `Bearer ${await keyOf(persons.admin, ['search.find', ...operations])}` };
      const { json } = await app.call('GET', search.find.path, { headers, query: { text: 'sought' } });
      return json.result.map(({ id }: search.Found) => id);
    };
    expect(await found(['groups.list'])).toEqual([group]);
    expect(await found([])).toEqual([]);
  });

  test('a key that may create groups binds no file with one, unless it may bind files', async () => {
    const config = await app.seeding.config(own, { name: 'Site.cfg' });
    const create = async (name: string, operations: string[]) => {
      const headers = { authorization: `Bearer ${await keyOf(persons.admin, operations)}` };
      return app.call('POST', groups.createGroup.path, { headers, body: { name, config, schedule: 'immediate' } });
    };
    expect(outcome(await create('North', ['groups.create', 'bindings.firmware']))).toEqual([
      403,
      'key.not_allowed',
      'bindings.config',
    ]);
    expect((await create('North', ['groups.create', 'bindings.config'])).status).toBe(200);
  });

  test('a key that may create, save or delete groups moves no vehicle with it, unless it may save devices', async () => {
    const fresh = routersNamed('KM');
    const [first, second] = [await addDevice(app, own, fresh()), await addDevice(app, own, fresh())];
    const ask = async (operation: AnyOperation, operations: string[], body: object, key = '') => {
      const headers = { authorization: `Bearer ${await keyOf(persons.admin, operations)}` };
      return app.call(operation.method, operation.path.replace('{group}', key), { headers, body });
    };
    const rejected = [403, 'key.not_allowed', 'devices.save'];
    const create = { name: 'South', devices: [first.id] };
    expect(outcome(await ask(groups.createGroup, ['groups.create'], create))).toEqual(rejected);
    expect((await ask(groups.createGroup, ['groups.create'], { name: 'East' })).status).toBe(200);
    const { json } = await ask(groups.createGroup, ['groups.create', 'devices.save'], create);
    const south = json.result.group;
    for (const changes of [{ add: [second.id] }, { remove: [first.id] }, { devices: [] }]) {
      expect(outcome(await ask(groups.saveGroup, ['groups.save'], changes, south))).toEqual(rejected);
      expect(outcome(await ask(groups.saveWholeGroup, ['groups.saveWhole'], changes, south))).toEqual(rejected);
    }
    expect((await ask(groups.saveGroup, ['groups.save'], { description: 'Depot' }, south)).status).toBe(200);
    expect(outcome(await ask(groups.deleteGroups, ['groups.delete'], { groups: [south] }))).toEqual(rejected);
    expect((await ask(groups.deleteGroups, ['groups.delete', 'devices.save'], { groups: [south] })).status).toBe(200);
  });
});
