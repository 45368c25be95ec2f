import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { findFirmware, lockFirmwareForBinding } from './index.ts';

const FIRMWARE = '/data_manager/v1/dm/firmware';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let person: Actor;

beforeEach(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  person = app.person(main, 'main');
  app.clock.set('2026-11-20T12:00:00Z');
});

const seed = (version: string, more: { model?: string; note?: string; payload?: Uint8Array } = {}) =>
  app.seeding.firmware(main, { model: 'HL-R320', version, ...more });
const list = (as: Actor, query: Record<string, string | number> = {}) => app.call('GET', FIRMWARE, { as, query });
const versions = async (query: Record<string, string | number> = {}, as = person) =>
  (await list(as, { limit: 50, ...query })).json.result.map((row: { version: string }) => row.version);
const bind = async (scope: OrganizationScope, group: string, firmware: string, ended = false) => {
  await app.owner.query(
    `insert into bindings (id, organization_id, group_key, kind, firmware_id, label, schedule, ended_at)
      values ($1, $2, $3, 'firmware', $4, 'x', 'immediate', $5)`,
    [newId(), scope.organizationId, group, firmware, ended ? new Date() : null],
  );
};

describe('the list of firmware', () => {
  test('FWR-01-partial admins and users of every organization read the catalogue of their main account, and no other', async () => {
    await seed('2.9.0', { note: 'Roaming' });
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const far = await app.seeding.organization(foreignUser, 'Far');
    for (const role of ['admin', 'user'] as const) {
      expect(await versions({}, app.person(own, role))).toEqual(['2.9.0']);
      expect(await versions({}, app.person(far, role))).toEqual([]);
    }
    expect(await versions({}, app.person(foreignUser, 'main'))).toEqual([]);
  });

  test('FWR-01-partial it is sorted newest first, in pages with a total, and whole without a limit', async () => {
    for (const [index, version] of ['1', '2', '3', '4'].entries()) {
      app.clock.set(`2026-11-20T12:0${index}:00Z`);
      await seed(version);
    }
    expect(await versions()).toEqual(['4', '3', '2', '1']);
    const page = await list(person, { limit: 3, offset: 3 });
    expect([page.json.total, page.json.result.map((row: { version: string }) => row.version)]).toEqual([4, ['1']]);
    const whole = await list(person);
    expect(whole.json.result).toHaveLength(4);
    expect((await list(person, { cursor: 'x' })).status).toBe(400);
  });

  test('FWR-01-partial it is sorted by every column, versions by their numbers', async () => {
    for (const version of ['2.10.0', '2.9.1', '2.9.1-rc2', '2.9.1-rc10', '10.0', '2.9']) await seed(version);
    const rising = ['2.9', '2.9.1', '2.9.1-rc2', '2.9.1-rc10', '2.10.0', '10.0'];
    expect(await versions({ sort: 'version' })).toEqual(rising);
    expect(await versions({ sort: '-version' })).toEqual(rising.toReversed());
    await seed('0', { model: 'A', payload: new Uint8Array(9_000) });
    expect((await versions({ sort: 'profile' }))[0]).toBe('0');
    expect((await versions({ sort: '-size' }))[0]).toBe('0');
    expect(await versions({ sort: 'created' })).toHaveLength(7);
    expect((await list(person, { sort: 'sha256' })).status).toBe(400);
  });

  test('FWR-01-partial release notes are searched as typed, version and model too, and a model filters', async () => {
    await seed('2.9.0', { note: 'Better roaming: 100%' });
    await seed('2.8.0', { note: 'better uptime' });
    await seed('2.9.0', { model: 'HL-R520 5G', note: '' });
    expect(await versions({ search: 'Better' })).toEqual(['2.9.0']);
    expect(await versions({ search: '%' })).toEqual(['2.9.0']);
    expect(await versions({ search: '2.8', field: 'version' })).toEqual(['2.8.0']);
    expect(await versions({ search: 'R520', field: 'profile' })).toEqual(['2.9.0']);
    expect(await versions({ profile: 'HL-R320', search: 'roaming' })).toEqual(['2.9.0']);
    expect(await versions({ profile: 'HL-R32' })).toEqual([]);
    expect((await list(person, { limit: 5, search: 'x', field: 'file' })).status).toBe(400);
  });

  test('GRP-10-partial each shows how many groups have it bound now: an organization counts its own, the main account all', async () => {
    const pk = await seed('2.9.0');
    const sibling = await app.seeding.organization(main, 'Sibling');
    await bind(own, 'default+group+id', pk);
    await bind(own, await app.seeding.group(own, 'North'), pk, true);
    await bind(sibling, 'default+group+id', pk);
    await bind(sibling, await app.seeding.group(sibling, 'South'), pk);
    const groups = async (as: Actor, query = {}) => (await list(as, query)).json.result[0].groups;
    expect(await groups(app.person(own, 'user'))).toBe(1);
    expect(await groups(app.person(sibling, 'admin'))).toBe(2);
    expect(await groups(person)).toBe(3);
    expect(await groups(person, { org: own.organizationId })).toBe(1);
  });
});

describe('deleting firmware', () => {
  const remove = (pk: string, as = person) => app.call('DELETE', `${FIRMWARE}/${pk}`, { as });

  test('FWR-02-partial deletes it from the catalogue with the history of its bindings, and logs it', async () => {
    const pk = await seed('2.9.0');
    await bind(own, 'default+group+id', pk, true);
    expect((await remove(pk)).json).toEqual({ result: { deleted: 1 } });
    expect(await versions()).toEqual([]);
    expect((await app.owner.query('select 1 from bindings where firmware_id = $1', [pk])).rowCount).toBe(0);
    expect((await app.logOf(main.mainAccountId)).at(-1)).toBe('Deleted firmware 2.9.0 for HL-R320');
    expect((await app.takeOutbox()).at(-1)).toMatchObject({ topic: 'firmware', organization_id: null, ids: [pk] });
    expect((await remove(pk)).json.error.key).toBe('firmware.not_found');
  });

  test('FWR-02-partial is rejected while groups have it bound, naming up to five of them with their organization', async () => {
    const pk = await seed('2.9.0');
    for (const name of ['G10', 'G1', 'G2', 'G3', 'G4', 'G5']) await bind(own, await app.seeding.group(own, name), pk);
    const { status, json } = await remove(pk);
    expect([status, json.error.key, json.error.detail.total]).toEqual([409, 'firmware.bound', 6]);
    const named = json.error.detail.groups.map(({ groupName }: { groupName: string }) => groupName);
    expect(named).toEqual(['G1', 'G2', 'G3', 'G4', 'G5']);
    expect(json.error.detail.groups[0]).toMatchObject({ groupName: 'G1', org: own.organizationId, orgName: 'Own' });
    expect(await versions()).toEqual(['2.9.0']);
  });

  test("FWR-02-partial another main account's, an unknown and an invalid id are not found; members may not", async () => {
    const pk = await seed('2.9.0');
    const foreignUser = app.person((await app.seeding.mainAccount('Abroad')).scope, 'main');
    for (const response of [await remove(pk, foreignUser), await remove(newId()), await remove('x')])
      expect([response.status, response.json.error.key]).toEqual([404, 'firmware.not_found']);
    expect((await remove(pk, app.person(own, 'admin'))).status).toBe(403);
  });

  test('FWR-02-partial waits for a concurrent binding, and a later one finds nothing', async () => {
    const pk = await seed('2.9.0');
    expect(await findFirmware(app.database.read, own, pk)).toMatchObject({ id: pk, version: '2.9.0', profile: 'HL-R320' });
    let deletion: ReturnType<typeof remove> | undefined;
    await app.database.write(async (tx) => {
      await lockFirmwareForBinding(tx, own, pk);
      deletion = remove(pk);
      await tx
        .insertInto('bindings')
        .values({
          id: newId(),
          organization_id: own.organizationId,
          group_key: 'default+group+id',
          kind: 'firmware',
          firmware_id: pk,
          config_id: null,
          config_number: null,
          label: '2.9.0',
          schedule: 'immediate',
          paused_reason: null,
        })
        .execute();
    });
    expect((await deletion!).status).toBe(409);
    await app.owner.query('update bindings set ended_at = now() where firmware_id = $1', [pk]);
    expect((await remove(pk)).status).toBe(200);
    await expect(app.database.write((tx) => lockFirmwareForBinding(tx, own, pk))).rejects.toMatchObject({
      key: 'firmware.not_found',
    });
    await expect(findFirmware(app.database.read, own, 'x')).rejects.toMatchObject({ key: 'firmware.not_found' });
  });
});
