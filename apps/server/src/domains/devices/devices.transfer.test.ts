import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { collide } from '../../testing/collide.ts';
import { createBinding } from '../../testing/bindings.ts';
import { addDevice, routersNamed } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const DM = '/data_manager/v1/dm';
const DEFAULT = 'default+group+id';

const app = useTestApp();
let main: MainScope;
let from: OrganizationScope;
let to: OrganizationScope;
let person: Actor;
let giver: Actor;
let receiver: Actor;

beforeAll(async () => {
  await app.owner.query("select ensure_partitions('2026-11-20', '2026-11-23')");
});
beforeEach(async () => {
  app.clock.set('2026-11-20T12:00:00Z');
  main = (await app.seeding.mainAccount('Home')).scope;
  from = await app.seeding.organization(main, 'Giver');
  to = await app.seeding.organization(main, 'Receiver');
  person = app.person(main, 'main');
  giver = app.person(from, 'admin');
  receiver = app.person(to, 'admin');
});

const fresh = routersNamed('TRF');
const device = (scope = from, group?: string) => addDevice(app, scope, fresh(), group === undefined ? {} : { group });

const transfer = (body: { target: string; serials: readonly unknown[]; origin?: string; realm?: string }, as = person) =>
  app.call('POST', `${DM}/org/device`, { as, body });
const give = (serials: readonly string[], target = to) => transfer({ target: target.organizationId, serials });
const screenOf = (as: Actor, id: string) => app.call('GET', `${DM}/device`, { as, query: { device: id } });
const serialsOf = async (as: Actor, query: Record<string, string> = {}): Promise<string[]> =>
  sorted(
    (await app.call('GET', `${DM}/devices`, { as, query })).json.result.map(
      (row: { serial_number: string }) => row.serial_number,
    ) as string[],
  );
const targetsOf = async (id: string): Promise<string[]> => {
  const { rows } = await app.owner.query<{ label: string }>(
    'select b.label from rollout_targets t join bindings b on b.id = t.binding_id where t.device_id = $1',
    [id],
  );
  return sorted(rows.map(({ label }) => label));
};
const intervalsOf = async (routerId: string) =>
  (
    await app.owner.query(
      'select organization_id, device_id, owned_from, owned_until from router_ownership where router_id = $1 order by owned_from',
      [routerId],
    )
  ).rows;
/** Everything of a main account's devices that a rejected transfer must leave unchanged. */
const fingerprint = async (...mains: MainScope[]) =>
  (
    await app.owner.query(
      `select d.id, d.organization_id, d.group_key, d.version, r.organization_id as holder, r.device_id,
        (select count(*)::int from router_ownership o where o.router_id = r.id) as intervals
      from devices d join routers r on r.id = d.router_id where d.main_account_id = any($1) order by d.id`,
      [mains.map(({ mainAccountId }) => mainAccountId)],
    )
  ).rows;

describe('a transferred device', () => {
  test('OGL-04-partial belongs to its new organization at once, with its router, texts and history, and without its group and tags', async () => {
    const group = await app.seeding.group(from, 'Group');
    const [moved, stays] = [await device(from, group), await device()];
    await app.call('PATCH', `${DM}/device`, {
      as: giver,
      body: { device: moved.id, vehicleNumber: 'Bus 7', note: 'Depot', tags: ['night'] },
    });
    await app.owner.query("insert into connectivity values ($1, '2026-11-21T10:00:00Z', 'online', 'before')", [moved.routerId]);
    app.clock.set('2026-11-22T12:00:00Z');
    await app.takeOutbox();
    const response = await transfer({
      realm: 'highline',
      origin: from.organizationId,
      target: to.organizationId,
      serials: [moved.serial],
    });
    expect([response.status, response.json.result]).toEqual([200, { transferred: 1 }]);

    expect([await serialsOf(giver), await serialsOf(receiver)]).toEqual([[stays.serial], [moved.serial]]);
    expect((await screenOf(giver, moved.id)).status).toBe(404);
    const save = { as: giver, body: { device: moved.id, note: 'still mine' } };
    expect((await app.call('PATCH', `${DM}/device`, save)).status).toBe(404);
    const { result } = (await screenOf(receiver, moved.id)).json;
    expect(result).toMatchObject({
      serial_number: moved.serial,
      group: DEFAULT,
      vehicle_number: 'Bus 7',
      note: 'Depot',
      tags: [],
    });
    const timeline = { as: receiver, query: { device: moved.id, kind: 'connection' } };
    expect((await app.call('GET', `${DM}/device/timeline`, timeline)).json.result).toMatchObject([{ reason: 'before' }]);
    expect(await intervalsOf(moved.routerId)).toEqual([
      {
        organization_id: from.organizationId,
        device_id: moved.id,
        owned_from: new Date('2026-11-20T12:00:00Z'),
        owned_until: new Date('2026-11-22T12:00:00Z'),
      },
      {
        organization_id: to.organizationId,
        device_id: moved.id,
        owned_from: new Date('2026-11-22T12:00:00.000Z'),
        owned_until: null,
      },
    ]);
    // The router stays connected: it does not know its organization.
    expect(app.disconnected).toEqual([]);
  });

  test('OGL-04-partial loses the bindings of the group it left and follows those of the group it joins', async () => {
    const moved = await device();
    await createBinding(app.owner, from, { group: DEFAULT, kind: 'config', label: 'old.cfg' });
    await createBinding(app.owner, from, { group: DEFAULT, kind: 'firmware', label: '1.0.0' });
    await createBinding(app.owner, to, { group: DEFAULT, kind: 'config', label: 'new.cfg' });
    expect(await targetsOf(moved.id)).toEqual(['1.0.0', 'old.cfg']);
    await give([moved.serial]);
    expect(await targetsOf(moved.id)).toEqual(['new.cfg']);
    await give([moved.serial], from);
    expect(await targetsOf(moved.id)).toEqual(['1.0.0', 'old.cfg']);
  });

  test('OGL-04-partial is announced to both organizations and their main account; each log has its side, and only the main account’s names both', async () => {
    const [one, two] = [await device(), await device()];
    await app.takeOutbox();
    await give([one.serial, two.serial]);
    const announced = (await app.takeOutbox()).map(({ topic, organization_id, ids }) => [topic, organization_id, sorted(ids)]);
    for (const { organizationId } of [from, to]) {
      expect(announced).toContainEqual(['devices', organizationId, sorted([one.id, two.id])]);
      expect(announced).toContainEqual(['groups', organizationId, []]);
      expect(announced).toContainEqual(['organizations', organizationId, [organizationId]]);
    }
    expect(announced).toContainEqual(['inventory', null, []]);
    const logOf = async (chain: string) =>
      (
        await app.owner.query('select action, detail::text from audit_entries where chain_id = $1 order by seq desc limit 1', [
          chain,
        ])
      ).rows[0] as { action: string; detail: string };
    const [given, received, above] = [
      await logOf(from.organizationId),
      await logOf(to.organizationId),
      await logOf(main.mainAccountId),
    ];
    expect(given.action).toBe('Transferred 2 devices to another organization');
    expect(received.action).toBe('Received 2 devices from another organization');
    expect(above.action).toBe('Transferred 2 devices from Giver to Receiver');
    for (const { detail } of [given, received, above]) for (const { serial } of [one, two]) expect(detail).toContain(serial);
    expect(`${given.action}${given.detail}`).not.toContain(to.organizationId);
    expect(`${received.action}${received.detail}`).not.toContain(from.organizationId);
    await give([one.serial], from);
    expect((await app.logOf(from.organizationId)).at(-1)).toBe(`Received device ${one.serial} from another organization`);
  });

  test('OGL-04-partial may come from several organizations at once; a device already in the target is left unchanged', async () => {
    const third = await app.seeding.organization(main, 'Third');
    const [a, b, here] = [await device(from), await device(third), await device(to)];
    const before = await fingerprint(main);
    const response = await give([a.serial, b.serial, here.serial, a.serial, ` ${b.serial} `]);
    expect(response.json.result).toEqual({ transferred: 2 });
    expect(await serialsOf(receiver)).toEqual(sorted([a.serial, b.serial, here.serial]));
    const after = await fingerprint(main);
    expect(after.find(({ id }) => id === here.id)).toEqual(before.find(({ id }) => id === here.id));
    expect((await app.logOf(third.organizationId)).at(-1)).toBe(`Transferred device ${b.serial} to another organization`);
    expect((await app.logOf(main.mainAccountId)).filter((action) => action.startsWith('Transferred'))).toHaveLength(2);
  });

  test('OGL-04-partial is in the lists and totals of the main account under its new organization', async () => {
    const moved = await device();
    const totalOf = async (scope: OrganizationScope) =>
      (await app.call('GET', `${DM}/devices`, { as: person, query: { org: scope.organizationId, limit: 3 } })).json.total;
    expect([await totalOf(from), await totalOf(to)]).toEqual([1, 0]);
    await give([moved.serial]);
    expect([await totalOf(from), await totalOf(to)]).toEqual([0, 1]);
    expect(await serialsOf(person, { search: 'Receiver', field: 'organization' })).toEqual([moved.serial]);
  });
});

describe('what a transfer starts', () => {
  const bindTo = async (scope: OrganizationScope, as: Actor, name: string) => {
    const config = await app.seeding.config(scope, { name });
    const body = { group: DEFAULT, config, schedule: 'immediate' };
    expect((await app.call('POST', '/data_manager/v1/binding/group/config', { as, body })).status).toBe(200);
  };
  const ask = (serials: readonly string[], query: Record<string, string>) =>
    app.call('POST', `${DM}/org/device`, { as: person, query, body: { target: to.organizationId, serials } });

  test('OGL-04-partial is said before with vehicles and the bound file, and what was not shown is not done', async () => {
    const [one, two, here] = [await device(), await device(), await device(to)];
    await app.owner.query("update devices set presence = 'online', vehicle_number = 'Bus 7' where id = $1", [one.id]);
    expect((await ask([one.serial], { dryRun: '1' })).json).toMatchObject({
      result: { transferred: 0 },
      impact: { firmware: null, config: null },
    });
    await bindTo(to, receiver, 'fleet.cfg');
    const before = await fingerprint(main);
    await app.takeOutbox();
    const { result, impact } = (await ask([one.serial, two.serial, here.serial], { dryRun: '1' })).json;
    expect(result).toEqual({ transferred: 0 });
    expect(impact).toMatchObject({
      firmware: null,
      config: { name: 'fleet.cfg', routers: 2, change: 2, offline: 1, vehicles: ['Bus 7'] },
    });
    expect([await fingerprint(main), await app.takeOutbox()]).toEqual([before, []]);
    // Another file is bound before the user says yes.
    await bindTo(to, receiver, 'other.cfg');
    const rejected = await ask([one.serial, two.serial], { confirmed: impact.confirmation });
    expect([rejected.status, rejected.json.error.key]).toEqual([409, 'impact.changed']);
    expect(rejected.json.error.detail).toMatchObject({ config: { name: 'other.cfg', change: 2 } });
    expect(await fingerprint(main)).toEqual(before);
    const done = await ask([one.serial, two.serial], { confirmed: rejected.json.error.detail.confirmation });
    expect(done.json.result).toEqual({ transferred: 2 });
    expect(await targetsOf(one.id)).toEqual(['other.cfg']);
  });
});

describe('what a transfer deletes', () => {
  test('OGL-04-partial is counted before: values, pictures, own router settings and waiting commands of these devices alone', async () => {
    const [one, two, other] = [await device(), await device(), await device()];
    const organization = from.organizationId;
    const { owner } = app;
    await owner.query(
      "insert into custom_properties values ($1, 'colour', 'Colour', 'string', '', now()), ($1, 'front', 'Front', 'picture', '', now())",
      [organization],
    );
    for (const { id, serial, routerId } of [one, two, other]) {
      await owner.query(
        `insert into device_properties (organization_id, device_id, property_key, value, updated_at) values ($1, $2, 'colour', '"red"', now())`,
        [organization, id],
      );
      await owner.query(
        `insert into sent_commands (id, organization_id, main_account_id, device_id, router_id, serial, kind, actor, created_at, due_at, expires_at)
          values (gen_random_uuid(), $1, $2, $3, $4, $5, 'reboot', '{}', now(), now(), now() + interval '1 hour')`,
        [organization, main.mainAccountId, id, routerId, serial],
      );
    }
    await owner.query(
      `insert into device_properties (organization_id, device_id, property_key, picture, picture_type, picture_size, picture_sha256, updated_at)
        values ($1, $2, 'front', '\\x00', 'image/png', 1, '\\x00', now())`,
      [organization, one.id],
    );
    await owner.query(
      `insert into router_settings (id, organization_id, device_id, version, content, created_by, created_at, replaced_at)
        values (gen_random_uuid(), $1, $2, 1, '{}', 'x', now(), now()), (gen_random_uuid(), $1, $2, 2, '{}', 'x', now(), null)`,
      [organization, two.id],
    );
    const lost = { values: 2, pictures: 1, settings: 1, commands: 2 };
    const ask = (query: Record<string, string>) =>
      app.call('POST', `${DM}/org/device`, {
        as: person,
        query,
        body: { target: to.organizationId, serials: [one.serial, two.serial] },
      });
    expect((await ask({ dryRun: '1' })).json.lost).toEqual(lost);
    expect((await ask({})).json).toMatchObject({ result: { transferred: 2 }, lost });
  });
});

describe('a transfer that is rejected', () => {
  test('OGL-04-partial changes nothing: one serial that is unknown, deleted, foreign or elsewhere rejects all', async () => {
    const third = await app.seeding.organization(main, 'Third');
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const [mine, gone, elsewhere] = [await device(), await device(), await device(third)];
    const foreign = await device(await app.seeding.organization(foreignUser, 'Abroad'));
    await app.call('DELETE', `${DM}/devices`, { as: person, body: { devices: [gone.id] } });
    await app.takeOutbox();
    const before = await fingerprint(main, foreignUser);
    for (const spoiler of [gone.serial, foreign.serial, elsewhere.serial, 'UNKNOWN', "' or true --"]) {
      const serials = [mine.serial, spoiler];
      const response = await transfer({ origin: from.organizationId, target: to.organizationId, serials });
      expect([response.status, response.json.error.field], spoiler).toEqual([404, 'serials.1']);
    }
    expect([await fingerprint(main, foreignUser), await app.takeOutbox()]).toEqual([before, []]);
    // Serial numbers are the same in any case.
    const serials = [mine.serial.toLowerCase(), mine.serial];
    expect((await transfer({ origin: from.organizationId, target: to.organizationId, serials })).status).toBe(200);
  });

  test('OGL-04-partial an organization of another main account, a deleted or a malformed one is not found, as origin and as target', async () => {
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const foreign = await app.seeding.organization(foreignUser, 'Abroad');
    const gone = await app.seeding.organization(main, 'Gone');
    await app.call('DELETE', `${DM}/org`, { as: person, body: { org: gone.organizationId } });
    const { serial } = await device();
    const before = await fingerprint(main, foreignUser);
    for (const bad of [foreign.organizationId, gone.organizationId, 'x', main.mainAccountId, '']) {
      const asTarget = await transfer({ target: bad, serials: [serial] });
      const asOrigin = await transfer({ origin: bad, target: to.organizationId, serials: [serial] });
      expect([asTarget.status, asOrigin.status], bad).toEqual([404, 404]);
    }
    expect(await fingerprint(main, foreignUser)).toEqual(before);
    expect(await app.logOf(foreign.organizationId)).toHaveLength(1);
    expect((await transfer({ target: to.organizationId.toUpperCase(), serials: [serial] })).status).toBe(200);
  });

  test('OGL-04-partial into the organization they are in, with none, or with more than a call accepts', async () => {
    const { serial } = await device();
    const same = await give([serial], from);
    expect([same.status, same.json.error.key]).toEqual([409, 'organization.same_target']);
    for (const serials of [[], [''], [7], Array.from({ length: 50_001 }, (_, index) => `S${index}`)])
      expect((await transfer({ target: to.organizationId, serials })).status).toBe(400);
    for (const role of ['admin', 'user'] as const)
      expect((await transfer({ target: to.organizationId, serials: [serial] }, app.person(from, role))).status).toBe(403);
    expect(await serialsOf(giver)).toEqual([serial]);
  });
});

describe('two at one moment', () => {
  test('OGL-04-partial two transfers of one device into two organizations end in one of them, whole', async () => {
    const third = await app.seeding.organization(main, 'Third');
    const { serial, routerId, id } = await device();
    const responses = await Promise.all([give([serial], to), give([serial], third)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const intervals = await intervalsOf(routerId);
    const open = intervals.filter(({ owned_until }) => owned_until === null);
    const { rows } = await app.owner.query('select organization_id, device_id from routers where id = $1', [routerId]);
    expect([intervals.length, open.length]).toEqual([3, 1]);
    expect(rows).toEqual([{ organization_id: open[0].organization_id, device_id: id }]);
    expect((await fingerprint(main))[0]).toMatchObject({ organization_id: open[0].organization_id });
  });

  test('OGL-04-partial a concurrent binding of the group they join reaches them', async () => {
    const moved = await device();
    const config = await app.seeding.config(to, { name: 'met.cfg' });
    const [taken, bound] = await collide(
      app,
      `select 1 from audit_heads where chain_id = '${main.mainAccountId}' for update`,
      () => give([moved.serial]),
      () =>
        app.call('POST', '/data_manager/v1/binding/group/config', {
          as: receiver,
          body: { group: DEFAULT, config, schedule: 'immediate' },
        }),
    );
    expect([taken.status, bound.status]).toEqual([200, 200]);
    expect(await targetsOf(moved.id)).toEqual(['met.cfg']);
  });

  test('OGL-04-partial devices that are moved, bound, deleted and transferred at once end where one sequential order would put them', async () => {
    const group = await app.seeding.group(from, 'Group');
    const config = await app.seeding.config(from, { name: 'race.cfg' });
    for (let round = 0; round < 4; round += 1) {
      const made = [await device(), await device(), await device(), await device()];
      const ids = made.map(({ id }) => id);
      const [moved, deleted, transferred, bound] = await Promise.all([
        app.call('PATCH', `${DM}/group/${group}`, { as: giver, body: { add: ids.slice(0, 3) } }),
        app.call('DELETE', `${DM}/devices`, { as: giver, body: { devices: ids.slice(2) } }),
        give(made.slice(1).map(({ serial }) => serial)),
        app.call('POST', '/data_manager/v1/binding/group/config', {
          as: giver,
          body: { group, config, schedule: 'immediate' },
        }),
      ]);
      for (const { status } of [moved, deleted, transferred]) expect([200, 404]).toContain(status);
      expect(bound.status).toBe(200);
      const { rows } = await app.owner.query(
        `select d.id, d.organization_id, d.archived_at is not null as archived, r.device_id = d.id as holds,
          r.organization_id is not distinct from (case when d.archived_at is null then d.organization_id end) as fits,
          (select count(*)::int from router_ownership o where o.router_id = r.id and o.owned_until is null) as open,
          (select count(*)::int from rollout_targets t join bindings b on b.id = t.binding_id where t.device_id = d.id
            and (b.organization_id <> d.organization_id or b.group_key <> d.group_key or d.archived_at is not null)) as stray
        from devices d join routers r on r.id = d.router_id where d.id = any($1)`,
        [ids],
      );
      for (const row of rows) expect(row).toMatchObject({ fits: true, stray: 0, open: row.archived ? 0 : 1 });
      // All or none.
      const arrived = rows.filter((row) => row.organization_id === to.organizationId).length;
      expect(arrived).toBe(transferred.status === 200 ? 3 : 0);
    }
  });
});
