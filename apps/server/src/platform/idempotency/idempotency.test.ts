import { createSecretKey, randomBytes } from 'node:crypto';
import { allOperations } from '@highline/contract/all-operations';
import { acceptsIdempotencyKey, jsonSchemaOf } from '@highline/contract/openapi';
import { makeEid, makeMac } from '@highline/usp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DomainError } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { send, until, type Responded } from '../../testing/call.ts';
import type { Sealing } from '../../kernel/sealing.ts';
import { silentLog } from '../../testing/log.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { MAX_RESPONSE_BYTES } from './idempotency.ts';
import { createResponseSealing, createIdempotency, purgeIdempotentCalls } from './index.ts';

const COMMANDS = '/data_manager/v1/dm/commands';

let server: TestServer;
let home: MainScope;
let scope: OrganizationScope;
let bearer: string;
let other: string;

beforeAll(async () => {
  server = await startTestServer();
  home = (await server.seeding.mainAccount('Home')).scope;
  scope = await server.seeding.organization(home, 'North');
  bearer = await server.seeding.bearer(await server.seeding.account(scope, 'once@highline.invalid', 'admin'));
  other = await server.seeding.bearer(await server.seeding.account(scope, 'other@highline.invalid', 'admin'));
});
afterAll(() => server.close());

const add = (key: string, name: string, as = bearer) =>
  send(`${server.url}${COMMANDS}`, { bearer: as, headers: { 'idempotency-key': key }, body: { name, kind: 'reboot' } });
const named = async (name: string) =>
  (await send(`${server.url}${COMMANDS}`, { bearer }))
    .json<{ result: { name: string }[] }>()
    .result.filter((one) => one.name === name).length;
const failureOf = (response: Responded) => [response.status, response.error().key];
const createSealing = () => createResponseSealing(createSecretKey(randomBytes(32)));
const stored = async () => {
  const { rows } = await server.owner.query<{ row: string }>('select c::text as row from idempotent_calls c');
  return rows.map(({ row }) => row).join('\n');
};
const replayed = ({ headers }: Responded) => headers.get('idempotent-replayed');

describe('HKS-04 Idempotency-Key', () => {
  test('HKS-04-partial a person who was moved to another organization gets no answer of the former one', async () => {
    const id = await server.seeding.account(scope, 'moved@highline.invalid', 'admin');
    const as = await server.seeding.bearer(id);
    expect((await add('moved', 'Before', as)).status).toBe(200);
    expect(replayed(await add('moved', 'Before', as))).toBe('true');
    const next = await server.seeding.organization(home, 'South');
    await server.owner.query(
      `update accounts set organization_id = $2::uuid, roles = array(select replace(role, $3::text, $2::uuid::text) from unnest(roles) role) where id = $1`,
      [id, next.organizationId, scope.organizationId],
    );
    const response = await add('moved', 'Before', as);
    expect([...failureOf(response), response.text.includes('Before')]).toEqual([422, 'idempotency.other_request', false]);
    expect((await add('moved again', 'Before', as)).status).toBe(200);
  });

  test('HKS-04-partial every call that can create something accepts one, and the description says so', async () => {
    const ids = allOperations.filter(acceptsIdempotencyKey).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'devices.add',
        'groups.create',
        'organizations.create',
        'inventory.add',
        'jobs.start',
        'apiKeys.create',
        'configs.upload',
        'accounts.create',
      ]),
    );
    const { paths, components } = (await send(`${server.url}/openapi.json`)).json<{
      components: { parameters: Record<string, { name: string }> };
      paths: Record<string, Record<string, { parameters: { $ref?: string; name?: string }[] }>>;
    }>();
    const names = (path: string, method: string) =>
      paths[path]![method]!.parameters.map(({ $ref, name }) => name ?? components.parameters[$ref!.split('/').at(-1)!]!.name);
    expect(names(COMMANDS, 'post')).toContain('Idempotency-Key');
    expect(names(COMMANDS, 'get')).not.toContain('Idempotency-Key');
  });

  test('HKS-04-partial the same request again is done once and answered alike; another one with its key is a 422', async () => {
    const [first, second] = [await add('k-1', 'Once'), await add('k-1', 'Once')];
    expect([first.status, replayed(first)]).toEqual([200, null]);
    expect([second.status, replayed(second), second.text]).toEqual([200, 'true', first.text]);
    expect(await named('Once')).toBe(1);
    expect(failureOf(await add('k-1', 'Another'))).toEqual([422, 'idempotency.other_request']);
    expect(await named('Another')).toBe(0);
    // A key is of its sender alone.
    expect(failureOf(await add('k-1', 'Once', other))).toEqual([409, 'command.name_taken']);
    expect(failureOf(await add('', 'Empty'))[0]).toBe(400);
    expect(failureOf(await add('x'.repeat(256), 'Long'))).toEqual([400, 'idempotency.key_invalid']);
  });

  test('HKS-04-partial a call that failed without an effect can be sent again with its key', async () => {
    expect((await add('k-2', 'Taken')).status).toBe(200);
    expect(failureOf(await add('k-3', 'Taken'))).toEqual([409, 'command.name_taken']);
    await server.owner.query("delete from custom_commands where name = 'Taken'");
    expect((await add('k-3', 'Taken')).status).toBe(200);
    expect(await named('Taken')).toBe(1);
  });

  test('HKS-04-partial while the first is running the others are a 409, and all of them make one', async () => {
    await server.owner.query('begin');
    await server.owner.query('select 1 from organizations where id = $1 for update', [scope.organizationId]);
    const first = add('k-4', 'Slow');
    await until(async () => (await server.owner.query("select 1 from idempotent_calls where key = 'k-4'")).rows.length > 0);
    const second = await add('k-4', 'Slow');
    expect([...failureOf(second), second.headers.get('retry-after')]).toEqual([409, 'idempotency.running', '2']);
    await server.owner.query('commit');
    expect((await first).status).toBe(200);
    const many = await Promise.all(Array.from({ length: 12 }, () => add('k-5', 'Many')));
    expect(many.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(many.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect([await named('Slow'), await named('Many')]).toEqual([1, 1]);
  });

  test('HKS-04-partial an upload is compared with its file, and an answer with a secret is not stored', async () => {
    const upload = (text: string) => {
      const body = new FormData();
      body.append('config', new Blob([text]), 'depot.cfg');
      return send(`${server.url}/data_manager/v1/dm/config`, { bearer, headers: { 'idempotency-key': 'k-6' }, body });
    };
    const first = await upload('hostname a\n');
    expect(first.status, first.text).toBe(200);
    expect((await upload('hostname a\n')).text).toBe(first.text);
    expect(failureOf(await upload('hostname b\n'))).toEqual([422, 'idempotency.other_request']);
    const mint = () =>
      send(`${server.url}/data_manager/v1/dm/api_keys`, {
        bearer,
        headers: { 'idempotency-key': 'k-7' },
        body: { name: 'x', operations: ['devices.list'] },
      });
    const { secret } = (await mint()).json<{ secret: string }>();
    const again = await mint();
    expect(failureOf(again)).toEqual([409, 'idempotency.answer_lost']);
    expect(await stored()).not.toContain(secret.slice(8, -4));
  });

  test('HKS-04-partial an answer is sealed: an activation code in it is not readable in the database, and it is repeated', async () => {
    const made = { serial: 'ONCE1', mac: makeMac(77) };
    await server.seeding.routers(home, [made]);
    await server.seeding.devices(scope, [made]);
    const body = { serial: made.serial, eid: makeEid(1), ac: '1$smdp.example.com$NOBODYREADSTHIS', apn: 'fleet' };
    const addProfile = () =>
      send(`${server.url}/data_manager/v1/dm/profile/`, { bearer, headers: { 'idempotency-key': 'k-9' }, body });
    const first = await addProfile();
    expect([first.status, first.text]).toEqual([200, expect.stringContaining(body.ac)]);
    const again = await addProfile();
    expect([again.status, replayed(again), again.text]).toEqual([200, 'true', first.text]);
    const text = await stored();
    expect(text).toContain('esims.add');
    for (const secret of ['NOBODYREADSTHIS', Buffer.from('NOBODYREADSTHIS').toString('hex')]) expect(text).not.toContain(secret);
  });

  test('HKS-04-partial an answer that another master key has sealed, or that is of another call, is lost', async () => {
    const { database } = server;
    const call = { owner: newId(), key: 'sealed', operation: 'x', requestHash: Buffer.alloc(32), hasSecret: false };
    const once = (sealing: Sealing, key = call.key) =>
      createIdempotency({ database, sealing, log: silentLog }).once(
        { ...call, key },
        async () => '"answer"',
        () => ({ status: 400, body: '{}' }),
      );
    const sealing = createSealing();
    await once(sealing);
    expect(await once(sealing)).toEqual({ status: 200, body: '"answer"', isReplayed: true });
    await expect(once(createSealing())).rejects.toMatchObject({ key: 'idempotency.answer_lost' });
    await once(sealing, 'another');
    await server.owner.query(
      `update idempotent_calls set sealed_answer = (select sealed_answer from idempotent_calls where key = 'sealed')
        where key = 'another'`,
    );
    await expect(once(sealing, 'another')).rejects.toMatchObject({ key: 'idempotency.answer_lost' });
  });

  test('HKS-04-partial a long answer is not stored: a call with an effect is done once, and says that its answer is lost', async () => {
    const { database } = server;
    const idempotency = createIdempotency({ database, sealing: createSealing(), log: silentLog });
    const owner = newId();
    const run = vi.fn((body: string) => Promise.resolve(body));
    const once = (key: string, body: string, isEffect = true) =>
      idempotency.once(
        { owner, key, operation: 'x', requestHash: Buffer.alloc(32), hasSecret: false },
        async (last) => {
          await database.write((tx) => last(tx, isEffect));
          return run(body);
        },
        () => ({ status: 400, body: '{}' }),
      );
    const [short, long] = ['x'.repeat(MAX_RESPONSE_BYTES), '序'.repeat(MAX_RESPONSE_BYTES / 2)];
    expect(await once('short', short)).toMatchObject({ body: short, isReplayed: false });
    expect(await once('short', short)).toMatchObject({ body: short, isReplayed: true });
    expect(await once('long', long)).toMatchObject({ body: long, isReplayed: false });
    await expect(once('long', long)).rejects.toMatchObject({ key: 'idempotency.answer_lost' });
    expect(run).toHaveBeenCalledTimes(2);
    const { rows } = await server.owner.query("select sealed_answer as answer from idempotent_calls where key = 'long'");
    expect(rows).toEqual([{ answer: null }]);
    // One that only read something is made again.
    for (let n = 0; n < 2; n++) expect(await once('read', long, false)).toMatchObject({ body: long, isReplayed: false });
  });

  test('HKS-04-partial a check is made again, and its key is not noted', async () => {
    const stock = { serial: 'ONCE2', mac: makeMac(78) };
    await server.seeding.routers(home, [stock]);
    const upload = (query: string) => {
      const body = new FormData();
      body.append(
        'file',
        new Blob([`SN,MAC,Start Date,Expiry Date\n${stock.serial},${stock.mac},01/01/2026,12/31/2026\n`]),
        'a.csv',
      );
      const url = `${server.url}/data_manager/v1/dm/devices/batch${query}`;
      return send(url, { bearer, headers: { 'idempotency-key': 'k-10' }, body });
    };
    for (let n = 0; n < 2; n++) {
      const checked = await upload('?dryRun=1');
      expect([checked.status, replayed(checked)]).toEqual([200, null]);
    }
    expect((await server.owner.query("select from idempotent_calls where key = 'k-10'")).rowCount).toBe(0);
    // The import itself is done once.
    const first = await upload('');
    expect(first.status, first.text).toBe(200);
    const again = await upload('');
    expect([again.status, replayed(again), again.text]).toEqual([200, 'true', first.text]);
    expect(failureOf(await upload('?dryRun=1'))).toEqual([400, 'csv.all_failed']);
  });

  test('HKS-04-partial every call whose answer has a secret that is shown once says so', () => {
    const isSecret = /^(?:secret|secrets|password|token|bearer|key|privateKey|minted|recoveryCodes)$/iu;
    const fields = (schema: unknown): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
      return [...own, ...Object.values(schema).flatMap(fields)];
    };
    const unmarked = allOperations
      .filter((operation) => acceptsIdempotencyKey(operation) && operation.hasSecret !== true)
      .filter(({ response }) => fields(jsonSchemaOf(response, 'output')).some((name) => isSecret.test(name)))
      .map(({ id }) => id);
    // The key of a property is its name, that of an approved call the kind of its error; whether a parameter is a secret is none.
    expect(unmarked.toSorted()).toEqual(['approvals.decide', 'properties.add', 'properties.upload', 'settings.deleteSchema']);
  });

  test('HKS-04-partial a process that dies leaves no doubt: without an effect the call begins again, with one it never does', async () => {
    const { database } = server;
    const idempotency = createIdempotency({ database, sealing: createSealing(), log: silentLog });
    const call = (key: string) => ({ owner: newId(), key, operation: 'x', requestHash: Buffer.alloc(32), hasSecret: false });
    const toResponse = () => ({ status: 400, body: '{}' });
    const dead = () => new Promise<string>(() => {});
    const lapse = (key: string) =>
      server.owner.query("update idempotent_calls set leased_until = now() - interval '1 second' where key = $1", [key]);
    const begun = (key: string, condition = 'true') =>
      until(
        async () =>
          (await server.owner.query(`select 1 from idempotent_calls where key = $1 and ${condition}`, [key])).rows.length > 0,
      );

    const before = call('dies-before');
    void idempotency.once(before, dead, toResponse);
    await begun('dies-before');
    await expect(idempotency.once(before, async () => '1', toResponse)).rejects.toMatchObject({ key: 'idempotency.running' });
    await lapse('dies-before');
    expect(await idempotency.once(before, async () => '"second"', toResponse)).toEqual({
      status: 200,
      body: '"second"',
      isReplayed: false,
    });

    const after = call('dies-after');
    void idempotency.once(
      after,
      async (last) => {
        await database.write((tx) => last(tx, true));
        return dead();
      },
      toResponse,
    );
    await begun('dies-after', 'applied_at is not null');
    await lapse('dies-after');
    await expect(idempotency.once(after, async () => '1', toResponse)).rejects.toMatchObject({ key: 'idempotency.answer_lost' });

    // A failure after the effect is the response, also later.
    const failing = call('fails-after');
    const fail = idempotency.once(
      failing,
      async (last) => {
        await database.write((tx) => last(tx, true));
        throw new DomainError('command.no_answer');
      },
      () => ({ status: 504, body: '"late"' }),
    );
    await expect(fail).rejects.toMatchObject({ key: 'command.no_answer' });
    expect(await idempotency.once(failing, async () => '1', toResponse)).toEqual({
      status: 504,
      body: '"late"',
      isReplayed: true,
    });
  });

  test('HKS-04-partial a process that stood still for longer than its lease writes nothing once another one has begun the call', async () => {
    const { database } = server;
    const idempotency = createIdempotency({ database, sealing: createSealing(), log: silentLog });
    const call = { owner: newId(), key: 'frozen', operation: 'x', requestHash: Buffer.alloc(32), hasSecret: false };
    const thaws = Promise.withResolvers<undefined>();
    const command = (name: string) => ({
      id: newId(),
      organization_id: scope.organizationId,
      name,
      kind: 'reboot' as const,
      argument: '',
    });
    const run = (name: string, begins: Promise<unknown>) =>
      idempotency.once(
        call,
        async (last) => {
          await begins;
          await database.write(async (tx) => {
            await tx
              .insertInto('custom_commands')
              .values({ ...command(name), is_pinned: false, created_at: new Date() })
              .execute();
            await last(tx, true);
          });
          return `"${name}"`;
        },
        () => ({ status: 500, body: '"failed"' }),
      );
    const frozen = run('By A', thaws.promise);
    await until(async () => (await server.owner.query("select 1 from idempotent_calls where key = 'frozen'")).rows.length > 0);
    await server.owner.query("update idempotent_calls set leased_until = now() - interval '1 second' where key = 'frozen'");
    const second = await run('By B', Promise.resolve());
    thaws.resolve(undefined);
    await expect(frozen).rejects.toMatchObject({ key: 'idempotency.running' });
    expect([await named('By A'), await named('By B')]).toEqual([0, 1]);
    expect(await run('By C', Promise.resolve())).toEqual({ ...second, isReplayed: true });
  });

  test('HKS-04-partial after 24 hours they are deleted, and a key may be used again', async () => {
    expect((await add('k-8', 'Old')).status).toBe(200);
    await server.owner.query("update idempotent_calls set started_at = now() - interval '25 hours' where key = 'k-8'");
    expect((await add('k-8', 'New')).status).toBe(200);
    await server.owner.query("update idempotent_calls set started_at = now() - interval '25 hours' where key = 'k-8'");
    await purgeIdempotentCalls(server.database);
    const { rows } = await server.owner.query(
      "select count(*) filter (where key = 'k-8')::int as old, count(*)::int as all from idempotent_calls",
    );
    expect(rows[0]).toMatchObject({ old: 0 });
    expect(rows[0].all).toBeGreaterThan(0);
  });
});
