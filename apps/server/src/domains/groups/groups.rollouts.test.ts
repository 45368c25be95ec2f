import { makeMac } from '@highline/usp';
import { beforeEach, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createBinding } from '../../testing/bindings.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const GROUPS = '/data_manager/v1/dm/group';
const DEFAULT = 'default+group+id';

const app = useTestApp('2026-11-20T12:00:00Z');
let main: MainScope;
let own: OrganizationScope;
let admin: Actor;
let group: string;
let other: string;
let count = 0;

/** A group with a bound firmware, and another one with a config file. */
beforeEach(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  admin = app.person(own, 'admin');
  group = await app.seeding.group(own, 'Group');
  other = await app.seeding.group(own, 'Other');
  await createBinding(app.owner, own, { group, kind: 'firmware', label: '2.8.1' });
  await createBinding(app.owner, own, { group: other, kind: 'config', label: 'depot.cfg' });
});

async function router() {
  count += 1;
  const made = { serial: `GT${String(count).padStart(4, '0')}`, mac: makeMac(count) };
  await app.seeding.routers(main, [made]);
  return made;
}
async function device(home?: string) {
  const [id] = await app.seeding.devices(own, [{ ...(await router()), ...(home === undefined ? {} : { group: home }) }]);
  await app.takeOutbox();
  return id!;
}

/** The bindings of a device, by its targets. */
const targetsOf = async (id: string): Promise<string[]> => {
  const { rows } = await app.owner.query<{ label: string }>(
    'select b.label from rollout_targets t join bindings b on b.id = t.binding_id where t.device_id = $1',
    [id],
  );
  return sorted(rows.map(({ label }) => label));
};
const save = (key: string, body: Record<string, unknown>) => app.call('PATCH', `${GROUPS}/${key}`, { as: admin, body });
const status = async (key: string) => {
  const { json } = await app.call('GET', `${GROUPS}/${key}`, { as: admin });
  return `${json.result.successful}/${json.result.deviceCount}`;
};

test('GRP-09-partial GRP-10-partial a router that joins follows the binding, one that leaves no longer waits for it', async () => {
  const [one, two] = [await device(), await device()];
  await save(group, { add: [one, two] });
  expect([await targetsOf(one), await status(group)]).toEqual([['2.8.1'], '0/2']);
  expect((await app.takeOutbox()).map(({ topic }) => topic)).toContain('rollouts');
  await app.owner.query(`update rollout_targets set state = 'successful' where device_id = $1`, [one]);
  expect(await status(group)).toBe('1/2');
  await save(group, { remove: [two] });
  expect([await targetsOf(one), await targetsOf(two), await status(group)]).toEqual([['2.8.1'], [], '1/1']);
  await save(group, { devices: [two] });
  expect([await targetsOf(one), await targetsOf(two), await status(group)]).toEqual([[], ['2.8.1'], '0/1']);
});

test('GRP-10-partial a router that is saved into another group waits for the bindings of that group', async () => {
  const one = await device(group);
  expect(await targetsOf(one)).toEqual(['2.8.1']);
  const move = (key: string) => app.call('PATCH', '/data_manager/v1/dm/device', { as: admin, body: { device: one, group: key } });
  expect((await move(other)).status).toBe(200);
  expect([await targetsOf(one), await status(group), await status(other)]).toEqual([['depot.cfg'], '0/0', '0/1']);
  await move(DEFAULT);
  expect(await targetsOf(one)).toEqual([]);
});

test('GRP-10-partial bindings of the default group reach routers that are added or imported, until they are deleted', async () => {
  await createBinding(app.owner, own, { group: DEFAULT, kind: 'config', label: 'first.cfg' });
  const added = await device();
  const { serial, mac } = await router();
  const file = `SN,MAC,Start Date,Expiry Date\n${serial},${mac},01/01/2026,12/31/2027\n`;
  const { json } = await app.call('POST', '/data_manager/v1/dm/devices/batch', {
    as: app.person(main, 'main'),
    body: { org: own.organizationId },
    file,
  });
  const imported = json.result.ids[0] as string;
  expect([await targetsOf(added), await targetsOf(imported)]).toEqual([['first.cfg'], ['first.cfg']]);
  await app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [added] } });
  expect([await targetsOf(added), await status(encodeURIComponent(DEFAULT))]).toEqual([[], '0/1']);
});

test('GRP-04-partial GRP-10-partial routers of a deleted group follow the bindings of the default group', async () => {
  const [one, two] = [await device(group), await device(other)];
  await createBinding(app.owner, own, { group: DEFAULT, kind: 'config', label: 'first.cfg' });
  await app.call('DELETE', GROUPS, { as: admin, body: { groups: [group] } });
  expect([await targetsOf(one), await targetsOf(two)]).toEqual([['first.cfg'], ['depot.cfg']]);
});

/** Targets of devices that are not, or no longer, in the group of the binding; and devices of a bound group without one. */
const wrong = async (): Promise<number> => {
  const { rows } = await app.owner.query<{ wrong: number }>(
    `select ((select count(*) from rollout_targets t join bindings b on b.id = t.binding_id join devices d on d.id = t.device_id
        where d.organization_id = $1 and (d.group_key <> b.group_key or d.archived_at is not null or b.ended_at is not null))
      + (select count(*) from devices d join bindings b on b.organization_id = d.organization_id and b.group_key = d.group_key
        where d.organization_id = $1 and b.ended_at is null and d.archived_at is null and not exists (
          select 1 from rollout_targets t where t.binding_id = b.id and t.device_id = d.id)))::int as wrong`,
    [own.organizationId],
  );
  return rows[0]!.wrong;
};

test('GRP-10-partial files that are bound while devices join, leave, move and are deleted reach exactly the devices of the group', async () => {
  const configs = await Promise.all(['a.cfg', 'b.cfg'].map((name) => app.seeding.config(own, { name })));
  const bind = (key: string, config: string) =>
    app.call('POST', '/data_manager/v1/binding/group/config', {
      as: admin,
      body: { group: key, config, schedule: 'immediate' },
    });
  const move = (id: string, key: string) =>
    app.call('PATCH', '/data_manager/v1/dm/device', { as: admin, body: { device: id, group: key } });
  for (let round = 0; round < 12; round++) {
    const [one, two, three, four] = [await device(group), await device(), await device(other), await device(group)];
    const responses = await Promise.all([
      move(one, DEFAULT),
      bind(group, configs[round % 2]!),
      bind(DEFAULT, configs[round % 2]!),
      save(group, { add: [two] }),
      bind(other, configs[round % 2]!),
      move(three, group),
      app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [four] } }),
      save(other, { add: [one] }),
    ]);
    for (const { status: code, text } of responses) expect([200, 409], text).toContain(code);
    expect(await wrong(), `round ${round}`).toBe(0);
  }
});
