import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { type TestCall, useTestApp } from '../../testing/test-app.ts';
import { findConfig, lockConfigForBinding, openConfig } from './index.ts';

const CONFIG = '/data_manager/v1/dm/config';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let admin: Actor;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
});
beforeEach(async () => {
  app.clock.set('2026-11-20T12:00:00Z');
  own = await app.seeding.organization(main, 'Own');
  admin = app.person(own, 'admin');
  await app.takeOutbox();
});

const upload = (file: TestCall['file'], fileName: string, body: Record<string, string> = {}, as = admin) =>
  app.call('POST', CONFIG, { as, file: file!, fileName, body });
const list = (query: Record<string, string | number> = {}, as = admin) => app.call('GET', CONFIG, { as, query });
const get = (pk: string, as = admin) => app.call('GET', `${CONFIG}/${pk}`, { as });
const read = (pk: string, number: number | string, as = admin) =>
  app.call('GET', `${CONFIG}/${pk}/versions/${number}/contents`, { as });
const names = async (query: Record<string, string | number> = {}) =>
  (await list({ limit: 50, ...query })).json.result.map((row: { name: string }) => row.name);
const save = (pk: string, note: string, headers: Record<string, string> = {}) =>
  app.call('PATCH', `${CONFIG}/${pk}`, {
    as: admin,
    body: Buffer.from(`--b\r\ncontent-disposition: form-data; name="note"\r\n\r\n${note}\r\n--b--\r\n`),
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
  });
const remove = (pks: readonly string[], as = admin) => app.call('DELETE', `${CONFIG}/${pks.join(',')}`, { as });
const bind = async (group: string, config: string, number = 1, ended = false) => {
  await app.owner.query(
    `insert into bindings (id, organization_id, group_key, kind, config_id, config_number, label, schedule, ended_at)
      values ($1, $2, $3, 'config', $4, $5, 'depot.cfg', 'immediate', $6)`,
    [newId(), own.organizationId, group, config, number, ended ? new Date() : null],
  );
};
const open = (pk: string, number: number) => openConfig(app.database.read, app.stores.seal, own, pk, number);
const log = async () => (await app.logOf(own.organizationId)).slice(1);

describe('an upload of a config file', () => {
  test('CFG-02-partial it is stored with its description, its hash and a log entry; no answer and no table shows its contents', async () => {
    const contents = 'wifi psk "correct horse battery"\n';
    const { status, json } = await upload(contents, 'north-depot.cfg', { note: 'Depot Wi-Fi' });
    expect([status, json.result]).toEqual([
      200,
      {
        pk: expect.any(String),
        id: json.result.pk,
        name: 'north-depot.cfg',
        file: 'north-depot.cfg',
        note: 'Depot Wi-Fi',
        size: contents.length,
        version: 1,
        sha256: createHash('sha256').update(contents).digest('hex'),
        created: '2026-11-20T12:00:00.000Z',
        updated: '2026-11-20T12:00:00.000Z',
        groups: 0,
        profile: expect.any(String),
        otaSchedule: null,
        postpone: null,
        group: '',
      },
    ]);
    expect((await open(json.result.pk, 1)).toString()).toBe(contents);
    expect(await log()).toEqual(['Uploaded config file north-depot.cfg']);
    expect(await app.takeOutbox()).toMatchObject([
      { topic: 'configs', organization_id: own.organizationId, ids: [json.result.pk] },
    ]);
    const { rows } = await app.owner.query<{ text: string }>(
      `select string_agg(encode(convert_to(v::text, 'UTF8'), 'escape') || encode(v.sealed, 'escape'), '') as text from config_versions v`,
    );
    expect(rows[0]!.text).not.toContain('horse');
  });

  test('CFG-02-partial the same name again is the next version of the same file, and every version can be decrypted', async () => {
    const first = (await upload('one', 'depot.cfg', { note: 'First' })).json.result;
    app.clock.set('2026-11-20T12:05:00Z');
    const second = (await upload('second', 'depot.cfg')).json.result;
    expect(second).toMatchObject({ pk: first.pk, version: 2, note: 'First', size: 6, updated: '2026-11-20T12:05:00.000Z' });
    expect((await upload('third', 'depot.cfg', { note: 'Third' })).json.result).toMatchObject({ version: 3, note: 'Third' });
    expect(await names()).toEqual(['depot.cfg']);
    for (const [number, contents] of [
      [1, 'one'],
      [2, 'second'],
      [3, 'third'],
    ] as const)
      expect((await open(first.pk, number)).toString()).toBe(contents);
    const { versions } = (await get(first.pk)).json.result;
    expect(versions.map(({ number, size, by }: Record<string, unknown>) => [number, size, by])).toEqual([
      [3, 5, admin.email],
      [2, 6, admin.email],
      [1, 3, admin.email],
    ]);
    expect(await log()).toEqual([
      'Uploaded config file depot.cfg',
      'Uploaded version 2 of config file depot.cfg',
      'Uploaded version 3 of config file depot.cfg',
    ]);
  });

  test('CFG-02-partial concurrent uploads of one name each get their own number', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, (_, index) => upload(`content ${index}`, 'race.cfg')));
    expect(new Set(responses.map(({ json }) => json.result.pk)).size).toBe(1);
    const { versions } = (await get(responses[0]!.json.result.pk)).json.result;
    expect(versions.map(({ number }: { number: number }) => number)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test('CFG-02-partial old versions beyond fifty are deleted, unless a binding names one', async () => {
    const pk = await app.seeding.config(own, { name: 'long.cfg' });
    await bind('default+group+id', pk, 1);
    for (let index = 0; index < 53; index += 1) await app.seeding.config(own, { name: 'long.cfg', contents: `${index}` });
    const { versions } = (await get(pk)).json.result;
    expect(versions.map(({ number }: { number: number }) => number).slice(-3)).toEqual([5, 4, 1]);
  });

  const rejected: [string, TestCall['file'], string, number, string][] = [
    ['an empty file', '', 'a.cfg', 400, 'config.empty'],
    ['a file above 1 MiB', new Uint8Array(1_048_577), 'a.cfg', 413, 'config.too_large'],
    ['a file far above 1 MiB', new Uint8Array(5_000_000), 'a.cfg', 413, 'config.too_large'],
    ['a file without a name', 'x', '   ', 400, 'request.invalid'],
    ['a file whose name is a folder', 'x', '../..', 400, 'request.invalid'],
    ['a name of 300 characters', 'x', `${'n'.repeat(296)}.cfg`, 400, 'request.invalid'],
  ];
  test.each(rejected)(
    'CFG-02-partial %s is rejected with an explanation and leaves nothing',
    async (_, file, fileName, status, key) => {
      const response = await upload(file, fileName);
      expect([response.status, response.json.error.key]).toEqual([status, key]);
      expect(await names()).toEqual([]);
      expect(await log()).toEqual([]);
    },
  );

  test('CFG-02-partial a file of exactly 1 MiB and of any bytes is stored unchanged', async () => {
    const contents = new Uint8Array(1_048_576).map((_, index) => index % 256);
    const { json } = await upload(contents, 'binary.bin');
    expect(json.result.size).toBe(1_048_576);
    expect((await open(json.result.pk, 1)).equals(contents)).toBe(true);
  });

  test.each([
    ['a path', '../../../etc/passwd', 'passwd'],
    ['a path of another system', 'C:\\Users\\dana\\depot.cfg', 'depot.cfg'],
    ['quotes', `"depot" 'north'.cfg`, `"depot" 'north'.cfg`],
    ['an emoji', '🚌 北.cfg', '🚌 北.cfg'],
    ['a formula', '=1+1.cfg', '=1+1.cfg'],
  ])('CFG-02-partial a name that is %s is text and nothing else', async (_, fileName, shown) => {
    expect((await upload('x', fileName)).json.result.name).toBe(shown);
  });

  test('CFG-01-partial only admins may: users and the main account are rejected', async () => {
    expect((await upload('x', 'a.cfg', {}, app.person(own, 'user'))).status).toBe(403);
    expect((await upload('x', 'a.cfg', { org: own.organizationId }, app.person(main, 'main'))).status).toBe(403);
    expect((await list({}, app.person(own, 'user'))).status).toBe(403);
  });
});

describe('the list of config files', () => {
  test('CFG-01-partial it is sorted by last change, in pages with a total, and opens the page that contains a file', async () => {
    const pks: string[] = [];
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      app.clock.set(`2026-11-20T12:0${index}:00Z`);
      pks.push(await app.seeding.config(own, { name }));
    }
    expect(await names()).toEqual(['e', 'd', 'c', 'b', 'a']);
    const page = await list({ limit: 3, offset: 3 });
    expect([page.json.total, page.json.offset, page.json.result.length]).toEqual([5, 3, 2]);
    const around = await list({ limit: 3, around: pks[0]! });
    expect([around.json.offset, around.json.result.map((row: { name: string }) => row.name)]).toEqual([3, ['b', 'a']]);
    expect((await list({ limit: 3, around: pks[4]! })).json.offset).toBe(0);
    expect((await list({ limit: 3, around: newId() })).json.offset).toBe(0);
    expect((await list({ limit: 3, around: 'x' })).json.offset).toBe(0);
    expect((await list()).json.result).toHaveLength(5);
    expect((await list({ cursor: 'x' })).status).toBe(400);
  });

  test('CFG-01-partial it is searched by name or description as typed, and sorted by every column', async () => {
    await app.seeding.config(own, { name: 'North.cfg', note: 'Depot 100%', contents: 'longest' });
    await app.seeding.config(own, { name: 'south.cfg', note: 'Airport', contents: 'x' });
    expect(await names({ search: 'North' })).toEqual(['North.cfg']);
    expect(await names({ search: 'north' })).toEqual([]);
    expect(await names({ search: 'Air', field: 'note' })).toEqual(['south.cfg']);
    expect(await names({ search: '%', field: 'note' })).toEqual(['North.cfg']);
    expect(await names({ sort: 'name' })).toEqual(['North.cfg', 'south.cfg']);
    expect(await names({ sort: '-name' })).toEqual(['south.cfg', 'North.cfg']);
    expect(await names({ sort: 'note' })).toEqual(['south.cfg', 'North.cfg']);
    expect(await names({ sort: 'size' })).toEqual(['south.cfg', 'North.cfg']);
    expect(await names({ sort: 'created' })).toHaveLength(2);
    expect((await list({ sort: 'sealed' })).status).toBe(400);
  });
});

describe('one config file', () => {
  test('CFG-03-partial shows its versions and the groups that have it bound now', async () => {
    const pk = await app.seeding.config(own, { name: 'depot.cfg' });
    await app.seeding.config(own, { name: 'depot.cfg' });
    const north = await app.seeding.group(own, 'North');
    await bind(north, pk, 1);
    await bind('default+group+id', pk, 2, true);
    const { json, headers } = await get(pk);
    expect(json.result).toMatchObject({ name: 'depot.cfg', version: 2, groups: 1, group: north, profile: pk });
    expect(json.result.boundBy).toEqual([{ group: north, groupName: 'North', version: 1 }]);
    expect(headers['etag']).toMatch(/^"\d+"$/u);
  });

  test('CFG-03-partial the description alone is changed; of two concurrent saves neither overwrites the other silently', async () => {
    const pk = await app.seeding.config(own, { name: 'depot.cfg', note: 'Old' });
    const { etag } = (await get(pk)).headers as { etag: string };
    const saved = await save(pk, 'New\r\nlines', { 'if-match': etag });
    expect([saved.status, saved.json.result.note]).toEqual([200, 'New\nlines']);
    expect(saved.headers['etag']).not.toBe(etag);
    const stale = await save(pk, 'Mine', { 'if-match': etag });
    expect([stale.status, stale.json.error.key, stale.json.error.detail.note]).toEqual([412, 'conflict.stale', 'New\nlines']);
    expect((await save(pk, 'Program', {})).json.result.note).toBe('Program');
    expect(await log()).toEqual([
      'Uploaded config file depot.cfg',
      'Changed the description of config file depot.cfg',
      'Changed the description of config file depot.cfg',
    ]);
  });

  test('an admin reads the contents of a version, which is logged; they are a file to save, whatever they contain', async () => {
    const pk = await app.seeding.config(own, { name: 'depot.cfg', contents: 'hostname one\n' });
    await app.seeding.config(own, { name: 'depot.cfg', contents: '<script>hostname two</script>\n' });
    const { status, text, headers } = await read(pk, 2);
    expect([status, text]).toEqual([200, '<script>hostname two</script>\n']);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="depot.cfg"',
      'cache-control': 'no-store',
    });
    expect((await read(pk, 1)).text).toBe('hostname one\n');
    expect((await log()).slice(-2)).toEqual([
      'Read version 2 of config file depot.cfg',
      'Read version 1 of config file depot.cfg',
    ]);
    for (const [file, number] of [[pk, 3] as const, [newId(), 1] as const, ['x', 1] as const])
      expect((await read(file, number)).status).toBe(404);
    for (const number of [0, -1, 1.5, 3e9, 'x']) expect((await read(pk, number)).status).toBe(400);
  });

  test('CFG-03-partial a save that changes nothing is not logged, and too long a description is rejected', async () => {
    const pk = await app.seeding.config(own, { name: 'depot.cfg', note: 'Old' });
    await app.takeOutbox();
    expect((await save(pk, 'Old')).status).toBe(200);
    expect(await app.takeOutbox()).toEqual([]);
    expect((await save(pk, 'n'.repeat(1_001))).json.error).toMatchObject({ key: 'request.invalid', field: 'note' });
  });

  test("CFG-03-partial another organization's, an unknown and an invalid id are not found", async () => {
    const sibling = await app.seeding.organization(main, 'Sibling');
    const foreign = await app.seeding.config(sibling, { name: 'secret.cfg' });
    for (const pk of [foreign, newId(), 'x'])
      for (const response of [await get(pk), await save(pk, 'x'), await remove([pk])])
        expect([response.status, response.json.error.key]).toEqual([404, 'config.not_found']);
    await expect(findConfig(app.database.read, own, foreign)).rejects.toMatchObject({ key: 'config.not_found' });
    await expect(open(foreign, 1)).rejects.toMatchObject({ key: 'config.not_found' });
    expect(await findConfig(app.database.read, sibling, foreign)).toMatchObject({ name: 'secret.cfg', number: 1 });
  });
});

describe('deleting config files', () => {
  test('CFG-01-partial several are deleted at once, with their versions and the history of their bindings', async () => {
    const pks: string[] = [];
    for (let index = 0; index < 40; index += 1) pks.push(await app.seeding.config(own, { name: `${index}.cfg` }));
    await bind('default+group+id', pks[0]!, 1, true);
    expect((await remove(pks)).json).toEqual({ result: { deleted: 40 } });
    expect(await names()).toEqual([]);
    expect(
      (await app.owner.query('select 1 from config_versions where organization_id = $1', [own.organizationId])).rowCount,
    ).toBe(0);
    expect((await log()).at(-1)).toBe('Deleted 40 config files');
  });

  test('CFG-01-partial is rejected while one is bound, naming up to five groups, and then none is deleted', async () => {
    const bound = await app.seeding.config(own, { name: 'depot.cfg' });
    const free = await app.seeding.config(own, { name: 'free.cfg' });
    for (const name of ['G10', 'G1', 'G2', 'G3', 'G4', 'G5']) await bind(await app.seeding.group(own, name), bound);
    const { status, json } = await remove([free, bound]);
    expect([status, json.error.key, json.error.detail.total]).toEqual([409, 'config.bound', 6]);
    const named = json.error.detail.groups.map(({ groupName }: { groupName: string }) => groupName);
    expect(named).toEqual(['G1', 'G2', 'G3', 'G4', 'G5']);
    expect(json.error.detail.groups[0]).toMatchObject({ groupName: 'G1', config: 'depot.cfg' });
    expect(await names()).toHaveLength(2);
    expect((await remove([free, newId()])).status).toBe(404);
    expect(await names()).toHaveLength(2);
    expect((await remove([free])).status).toBe(200);
  });

  test('CFG-01-partial waits for a concurrent binding, and a later one finds nothing', async () => {
    const pk = await app.seeding.config(own, { name: 'depot.cfg' });
    let deletion: ReturnType<typeof remove> | undefined;
    await app.database.write(async (tx) => {
      const locked = await lockConfigForBinding(tx, own, pk);
      deletion = remove([pk]);
      await tx
        .insertInto('bindings')
        .values({
          id: newId(),
          organization_id: own.organizationId,
          group_key: 'default+group+id',
          kind: 'config',
          firmware_id: null,
          config_id: pk,
          config_number: locked.number,
          label: locked.name,
          schedule: 'immediate',
          paused_reason: null,
        })
        .execute();
    });
    expect((await deletion!).status).toBe(409);
    await app.owner.query('update bindings set ended_at = now() where config_id = $1', [pk]);
    expect((await remove([pk])).status).toBe(200);
    await expect(app.database.write((tx) => lockConfigForBinding(tx, own, pk))).rejects.toMatchObject({
      key: 'config.not_found',
    });
  });
});
