import { beforeEach, describe, expect, test } from 'vitest';
import type { bulkJobs } from '@highline/contract';
import { DomainError, newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Database } from '../../platform/ports/database.ts';
import { addDevice, openHome, routersNamed, type DeviceFacts, type TestDevice } from '../../testing/home.ts';
import { testRemovals } from '../../testing/removals.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';
import type { CommandRuns } from '../commands/index.ts';
import { createBulkWorker, purgeBulkJobs } from './index.ts';

const JOBS = '/data_manager/v1/dm/jobs';
const DEVICES = '/data_manager/v1/dm/devices';

const app = useTestApp();
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;
let user: Actor;

beforeEach(async () => {
  ({ own, sibling, mainPerson, admin, user } = await openHome(app));
  app.clock.set('2026-11-20T12:00:00Z');
  // Jobs of the other tests of this file end here.
  await app.owner.query(`update bulk_jobs set state = 'cancelled', ended_at = now() where ended_at is null`);
});

const fresh = routersNamed('BJ');
const device = (scope = own, facts: DeviceFacts = {}) => addDevice(app, scope, fresh(), facts);
const idsOf = (devices: readonly { readonly id: string }[]) => devices.map(({ id }) => id);

async function manyDevices(count: number, scope = own): Promise<string[]> {
  const routers = Array.from({ length: count }, fresh);
  await app.seeding.routers({ kind: 'main', mainAccountId: scope.mainAccountId }, routers);
  return app.seeding.devices(scope, routers);
}

function group(name: string): Promise<string> {
  return app.seeding.group(own, name);
}

async function command(): Promise<string> {
  const body = { name: newId(), kind: 'reboot' };
  return (await app.call('POST', '/data_manager/v1/dm/commands', { as: admin, body })).json.result.id;
}

const start = (action: object, selection: object, as = admin, more: object = {}) =>
  app.call('POST', JOBS, { as, body: { action, selection, ...more } });
const started = async (...input: Parameters<typeof start>): Promise<bulkJobs.BulkJob> => {
  const { status, json, text } = await start(...input);
  expect(status, text).toBe(200);
  return json.result;
};
const follow = (verb: 'retry' | 'undo' | 'cancel', id: string, as = admin) =>
  app.call('POST', `${JOBS}/${id}/${verb}`, { as, body: {} });
const read = async (id: string, as = admin): Promise<bulkJobs.BulkJob> =>
  (await app.call('GET', `${JOBS}/${id}`, { as })).json.result;
const itemsOf = async (id: string, query: Record<string, string> = {}): Promise<bulkJobs.JobItem[]> =>
  (await app.call('GET', `${JOBS}/${id}/devices`, { as: admin, query: { limit: 200, ...query } })).json.result;
const resultsOf = async (id: string) =>
  (await itemsOf(id)).map(({ device: of, state, reason }) => [of, reason === null ? state : `${state}: ${reason}`]);

const column = async (name: string, ids: readonly string[]): Promise<unknown[]> => {
  const { rows } = await app.owner.query(`select id, ${name} as value from devices where id = any ($1::uuid[])`, [ids]);
  const values = new Map(rows.map(({ id, value }) => [id, value]));
  return ids.map((id) => values.get(id));
};

interface WorkerParts {
  readonly database?: Database;
  readonly run?: CommandRuns['run'];
  readonly findAllowed?: Parameters<typeof createBulkWorker>[0]['findAllowed'];
}

/** A process that works through the jobs until none is due. */
function worker({
  database = app.database,
  run = () => Promise.resolve({ outcome: 'done' }),
  findAllowed = () => Promise.resolve({}),
}: WorkerParts = {}) {
  const deviceLink = { disconnect: (ids: readonly string[]) => void app.disconnected.push(...ids) } as never;
  const { clock, expiringDays } = app;
  const log = { warn: () => {} } as never;
  return createBulkWorker({
    database,
    clock,
    log,
    deviceLink,
    expiringDays,
    runs: { run },
    findAllowed,
    removals: testRemovals(app),
  });
}
const work = async (parts?: WorkerParts) => {
  for (const job of worker(parts).jobs) await job.run(app.clock.now());
};

describe('changes of few devices', () => {
  test('BLK-01-partial devices named by their ids are moved at once, with a result for each, one log entry and live events', async () => {
    const key = await group('North');
    const [first, second] = [await device(), await device()];
    const there = await device(own, { group: key });
    await app.takeOutbox();
    const before = (await app.logOf(own.organizationId)).length;
    const job = await started({ kind: 'move', group: key }, { devices: idsOf([second, first, there]) });
    expect(job).toMatchObject({ kind: 'move', name: 'North', state: 'done', total: 3, done: 2, failed: 0, skipped: 1 });
    expect(job).toMatchObject({ undoable: true, retriable: false, by: admin.email });
    expect(await column('group_key', idsOf([first, second]))).toEqual([key, key]);
    expect(await resultsOf(job.id)).toEqual([
      [first.id, 'done'],
      [second.id, 'done'],
      [there.id, 'skipped: unchanged'],
    ]);
    expect((await app.logOf(own.organizationId)).slice(before)).toEqual(['Moved 2 devices to group North']);
    expect(new Set((await app.takeOutbox()).map(({ topic }) => topic))).toEqual(new Set(['jobs', 'devices', 'groups']));
  });

  test('BLK-01-partial with a foreign, deleted or malformed id among the ids the call is a 404 and nothing changes', async () => {
    const mine = await device();
    const gone = await device();
    await app.call('DELETE', DEVICES, { as: admin, body: { devices: [gone.id] } });
    const key = await group('North');
    for (const other of [(await device(sibling)).id, gone.id, newId(), "x' or true --"]) {
      const { status, json } = await start({ kind: 'move', group: key }, { devices: [mine.id, other] });
      expect([status, json.error.key]).toEqual([404, 'not_found']);
    }
    expect(await column('group_key', [mine.id])).not.toEqual([key]);
    expect((await app.call('GET', JOBS, { as: admin, query: { limit: 5 } })).json.total).toBe(0);
  });

  test('BLK-01-partial a group, a command or a job of another organization is a 404', async () => {
    const { id } = await device();
    const job = await started({ kind: 'tags', add: ['bus'] }, { devices: [id] });
    const outsider = app.person(sibling, 'admin');
    const key = await group('North');
    const elsewhere = await device(sibling);
    const responses = [
      await start({ kind: 'move', group: key }, { devices: [elsewhere.id] }, outsider),
      await start({ kind: 'command', command: await command() }, { devices: [elsewhere.id] }, outsider),
      await app.call('GET', `${JOBS}/${job.id}`, { as: outsider }),
      await app.call('GET', `${JOBS}/${job.id}/devices`, { as: outsider }),
      await follow('undo', job.id, outsider),
    ];
    expect(responses.map(({ status, json }) => [status, json.error.key])).toEqual([
      [404, 'group.not_found'],
      [404, 'command.not_found'],
      [404, 'job.not_found'],
      [404, 'job.not_found'],
      [404, 'job.not_found'],
    ]);
  });

  test('BLK-01-partial each role may do with many devices what it may do with one', async () => {
    const selection = { devices: [(await device()).id] };
    const days = { kind: 'subscription', started: '02/01/2026', expired: '12/31/2028' };
    const denied = [
      await start({ kind: 'tags', add: ['bus'] }, selection, user),
      await start({ kind: 'delete' }, selection, user),
      await start(days, selection, admin),
      await start({ kind: 'tags', add: ['bus'] }, selection, mainPerson, { org: own.organizationId }),
    ];
    expect(denied.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const job = await started(days, selection, mainPerson);
    expect(job).toMatchObject({ state: 'done', done: 1, started: '02/01/2026', expired: '12/31/2028', org: null });
    expect(await column('expires_on::text', selection.devices)).toEqual(['2028-12-31']);
    // Jobs of the whole main account are its own.
    expect((await app.call('GET', `${JOBS}/${job.id}`, { as: admin })).status).toBe(404);
  });

  test('BLK-01-partial a main account deletes devices of several organizations; each has its entry, and the connections are closed', async () => {
    const devices = [await device(), await device(sibling)];
    app.disconnected.length = 0;
    const job = await started({ kind: 'delete' }, { devices: idsOf(devices) }, mainPerson);
    expect(job).toMatchObject({ state: 'done', done: 2, undoable: false });
    expect(sorted(app.disconnected)).toEqual(sorted(devices.map(({ routerId }) => routerId)));
    expect(await column('archived_at is not null', idsOf(devices))).toEqual([true, true]);
    for (const [index, { organizationId }] of [own, sibling].entries())
      expect((await app.logOf(organizationId)).at(-1)).toBe(`Deleted device ${devices[index]!.serial}`);
  });

  test('BLK-01-partial a preview counts without changing anything, and an empty selection is rejected', async () => {
    const key = await group('North');
    const devices = [await device(), await device(own, { group: key })];
    const preview = (selection: object) =>
      app.call('POST', `${JOBS}/preview`, { as: admin, body: { action: { kind: 'move', group: key }, selection } });
    const { json } = await preview({ devices: idsOf(devices) });
    expect(json.result).toMatchObject({ devices: 2, online: 0, unchanged: 1, arrivals: { firmware: null, config: null } });
    expect((await preview({ devices: [(await device(sibling)).id] })).status).toBe(404);
    expect((await preview({ filter: {} })).json.result.devices).toBe(2);
    const rejected = await start({ kind: 'move', group: key }, { filter: { search: 'no such serial' } });
    expect(rejected.json.error.key).toBe('job.nothing_selected');
    expect(await column('group_key', idsOf(devices))).not.toEqual([key, key]);
  });

  test('BLK-01-partial a misspelt filter or field is rejected, and reaches no device', async () => {
    await device();
    const rejected = [
      await start({ kind: 'tags', add: ['all'] }, { filter: { tags: 'night' } }),
      await start({ kind: 'send', send: 'report', windw: { days: [1] } }, { filter: { search: 'a' } }),
      await start({ kind: 'delete' }, { filter: { sort: 'serial', serch: 'a' } }),
    ];
    expect(rejected.map(({ status, json }) => [status, json.error.key])).toEqual(rejected.map(() => [400, 'request.invalid']));
    expect(rejected[0]!.json.error.message).toContain('tags');
    expect((await app.owner.query("select 1 from devices where 'all' = any (tags)")).rowCount).toBe(0);
  });

  test('BLK-01-partial a move is compared with the effect that the user has seen', async () => {
    const { id } = await device();
    const key = await group('North');
    const action = { kind: 'move', group: key };
    const body = { action, selection: { devices: [id] } };
    const { confirmation } = (await app.call('POST', `${JOBS}/preview`, { as: admin, body })).json.result.arrivals;
    expect((await start(action, body.selection, admin, { confirmed: 'another' })).json.error.key).toBe('impact.changed');
    expect((await start(action, body.selection, admin, { confirmed: confirmation })).status).toBe(200);
  });

  test('BLK-01-partial what is deleted is exactly what the user has seen, and a command reaches no more devices than that', async () => {
    const tag = 'seen';
    const [first, second, third] = [await device(), await device(), await device()];
    const setTags = (id: string, tags: readonly string[]) =>
      app.owner.query('update devices set tags = $2 where id = $1', [id, tags]);
    for (const { id } of [first, second]) await setTags(id, [tag]);
    const selection = { filter: { tag } };
    const run = { kind: 'send', send: 'report', wait: 24 };
    const seen = async (action: object): Promise<bulkJobs.JobPreview> =>
      (await app.call('POST', `${JOBS}/preview`, { as: admin, body: { action, selection } })).json.result;
    const { confirmation: preview, devices, ids } = await seen({ kind: 'delete' });
    expect(devices).toBe(2);
    expect(ids?.toSorted()).toEqual(idsOf([first, second]).toSorted());
    expect((await seen(run)).ids).toBeNull();
    // Another vehicle comes in the place of one that leaves: as many, and not the same.
    await setTags(second.id, []);
    await setTags(third.id, [tag]);
    const changed = await start({ kind: 'delete' }, selection, admin, { preview });
    expect([changed.status, changed.json.error.key, changed.json.error.detail.devices]).toEqual([409, 'impact.changed', 2]);
    expect(await column('archived_at is null', idsOf([first, second, third]))).toEqual([true, true, true]);
    await setTags(second.id, [tag]);
    expect((await start(run, selection, admin, { preview })).json.error.key).toBe('impact.changed');
    expect((await app.call('GET', JOBS, { as: admin, query: { limit: 5 } })).json.total).toBe(0);
    await setTags(third.id, []);
    await setTags(first.id, []);
    expect((await started(run, selection, admin, { preview })).total).toBe(1);
    const now = await seen({ kind: 'delete' });
    expect(await started({ kind: 'delete' }, selection, admin, { preview: now.confirmation })).toMatchObject({ done: 1 });
    expect(await column('archived_at is null', idsOf([first, second, third]))).toEqual([true, false, true]);
  });
});

describe('undo', () => {
  test('BLK-01-partial restores the values of the devices that still have what the job set, and only once', async () => {
    const [north, south] = [await group('North'), await group('South')];
    const devices = [await device(), await device(own, { group: south }), await device()];
    const before = await column('group_key', idsOf(devices));
    const job = await started({ kind: 'move', group: north }, { devices: idsOf(devices) });
    const [, , later] = devices;
    await started({ kind: 'move', group: south }, { devices: [later!.id] });
    const undone: bulkJobs.BulkJob = (await follow('undo', job.id)).json.result;
    expect(undone).toMatchObject({ undo: true, state: 'done', done: 2, skipped: 1, undoable: false });
    expect(await column('group_key', idsOf(devices))).toEqual([before[0], south, south]);
    expect((await resultsOf(undone.id)).at(-1)).toEqual([later!.id, 'skipped: changed-since']);
    expect((await follow('undo', job.id)).json.error.key).toBe('job.not_undoable');
    expect((await follow('undo', undone.id)).json.error.key).toBe('job.not_undoable');
  });

  test('BLK-01-partial restores subscriptions, also those that were never set, and tags', async () => {
    const devices = [await device(own, { started: '01/01/2025', expired: '12/31/2025' }), await device()];
    await app.owner.query('update devices set started_on = null, expires_on = null where id = $1', [devices[1]!.id]);
    const selection = { devices: idsOf(devices) };
    const days = { kind: 'subscription', started: '01/01/2026', expired: '12/31/2027' };
    const renewed = await started(days, selection, mainPerson);
    await follow('undo', renewed.id, mainPerson);
    expect(await column('expires_on::text', selection.devices)).toEqual(['2025-12-31', null]);
    await started({ kind: 'tags', add: ['depot', 'bus'] }, { devices: [devices[0]!.id] });
    const tagged = await started({ kind: 'tags', add: ['bus', 'night'], remove: ['depot'] }, selection);
    expect(await column('tags', selection.devices)).toEqual([
      ['bus', 'night'],
      ['bus', 'night'],
    ]);
    await follow('undo', tagged.id);
    expect(await column('tags', selection.devices)).toEqual([['bus', 'depot'], []]);
  });

  test('BLK-01-partial a device whose former group was deleted fails, and is tried again alone', async () => {
    const [north, south] = [await group('North'), await group('South')];
    const devices = [await device(), await device(own, { group: south })];
    const job = await started({ kind: 'move', group: north }, { devices: idsOf(devices) });
    await app.call('DELETE', '/data_manager/v1/dm/group', { as: admin, body: { groups: [south] } });
    const undone: bulkJobs.BulkJob = (await follow('undo', job.id)).json.result;
    expect(await resultsOf(undone.id)).toEqual([
      [devices[0]!.id, 'done'],
      [devices[1]!.id, 'failed: group.not_found'],
    ]);
    const again: bulkJobs.BulkJob = (await follow('retry', undone.id)).json.result;
    expect(again).toMatchObject({ undo: true, total: 1, failed: 1 });
    expect((await follow('retry', undone.id)).json.error.key).toBe('job.nothing_failed');
  });
});

describe('changes of many devices', () => {
  test('BLK-01-partial all devices that match a filter are changed in batches; a process that ends in between is continued by another', async () => {
    const ids = await manyDevices(2_100);
    const other = await device(own, { columns: { vehicle_number: 'Van' } });
    await app.owner.query("update devices set vehicle_number = 'Bus ' || serial where id = any ($1::uuid[])", [ids]);
    const filter = { search: 'Bus', field: 'vehicle' };
    const job = await started({ kind: 'tags', add: ['bus'] }, { filter });
    expect(job).toMatchObject({ state: 'running', total: 2_100, done: 0 });
    let batches = 0;
    const dying = () => (batches++ === 0 ? Promise.resolve({}) : Promise.reject(new Error('killed')));
    await expect(work({ findAllowed: dying })).rejects.toThrow('killed');
    expect(await read(job.id)).toMatchObject({ state: 'running', done: 2_000 });
    await Promise.all([work(), work()]);
    const ended = await read(job.id);
    expect(ended).toMatchObject({ state: 'done', total: 2_100, done: 2_100, skipped: 0, failed: 0 });
    const tagged = await app.call('GET', DEVICES, { as: user, query: { limit: 5, tag: 'bus' } });
    expect(tagged.json.total).toBe(2_100);
    expect(await column('tags', [other.id])).toEqual([[]]);
    const log = (await app.logOf(own.organizationId)).slice(-3);
    expect(log).toEqual([
      'Started to change tags of devices',
      'Changed the tags of 2000 devices',
      'Changed the tags of 100 devices',
    ]);
    const undone: bulkJobs.BulkJob = (await follow('undo', job.id)).json.result;
    await work();
    expect(await read(undone.id)).toMatchObject({ state: 'done', total: 2_100, done: 2_100 });
    const tags = await app.call('GET', `${DEVICES}/tags`, { as: user });
    expect(tags.json.result).toEqual([]);
  });

  test('BLK-01-partial a cancelled job stops before its next batch, and one of a user without the role at once', async () => {
    const ids = await manyDevices(2_001);
    const job = await started({ kind: 'tags', add: ['a'] }, { filter: {} });
    expect((await follow('cancel', job.id)).json.result).toMatchObject({ state: 'cancelled', done: 0 });
    expect((await follow('cancel', job.id)).json.error.key).toBe('job.ended');
    const second = await started({ kind: 'tags', add: ['a'] }, { filter: {} });
    const required: string[] = [];
    await work({ findAllowed: (_, { id }) => Promise.resolve(required.push(id) === 0 ? {} : undefined) });
    expect(required).toEqual(['devices.save']);
    expect(await read(second.id)).toMatchObject({ state: 'cancelled', done: 0 });
    expect((await column('tags', ids)).every((tags) => (tags as string[]).length === 0)).toBe(true);
    expect((await app.logOf(own.organizationId)).slice(-3)).toEqual([
      'Cancelled: change tags of devices',
      'Started to change tags of devices',
      'Cancelled, since the user who started it may not act any more: change tags of devices',
    ]);
  });
});

describe('commands', () => {
  const responding =
    (responses: ReadonlyMap<string, () => Promise<unknown>>, calls: string[] = []): CommandRuns['run'] =>
    (_scope, _actor, _id, deviceId) => {
      calls.push(deviceId);
      return (responses.get(deviceId)?.() ?? Promise.resolve({ outcome: 'done' })) as never;
    };

  test('BLK-01-partial each router has a result of its own, and exactly the failed ones are tried again', async () => {
    const devices: TestDevice[] = [await device(), await device(), await device()];
    const [, offline, strict] = idsOf(devices) as [string, string, string];
    const run = { kind: 'command', command: await command() };
    const job = await started(run, { devices: idsOf(devices) });
    expect(job).toMatchObject({ state: 'running', total: 3 });
    const responses = new Map([
      [offline, () => Promise.reject(new DomainError('command.offline'))],
      [strict, () => Promise.resolve({ outcome: 'rejected', code: 7_022, message: 'Not\nnow' })],
    ]);
    await work({ run: responding(responses) });
    expect(await read(job.id)).toMatchObject({ state: 'done', done: 1, failed: 2, retriable: true, undoable: false });
    expect(await itemsOf(job.id, { state: 'failed' })).toMatchObject([
      { device: offline, reason: 'command.offline', message: null },
      { device: strict, reason: 'command.rejected', message: 'Not now' },
    ]);
    const again: bulkJobs.BulkJob = (await follow('retry', job.id)).json.result;
    const calls: string[] = [];
    await work({ run: responding(new Map(), calls) });
    expect(sorted(calls)).toEqual(sorted([offline, strict]));
    expect(await read(again.id)).toMatchObject({ state: 'done', total: 2, done: 2 });
    expect(await read(job.id)).toMatchObject({ retriable: false });
  });

  test('BLK-01-partial commands run for a job, not for a session; a router whose process finds that its author may not act any more fails with that reason', async () => {
    const [first, second] = [await device(), await device()];
    const job = await started({ kind: 'command', command: await command() }, { devices: idsOf([first, second]) });
    const asJob: boolean[] = [];
    await work({
      run: (_scope, _actor, _id, deviceId, isJob) => {
        asJob.push(isJob);
        return deviceId === first.id
          ? Promise.resolve({ outcome: 'done' })
          : Promise.reject(new DomainError('permission.denied'));
      },
    });
    expect(asJob).toEqual([true, true]);
    expect(await resultsOf(job.id)).toEqual([
      [first.id, 'done'],
      [second.id, 'failed: permission.denied'],
    ]);
  });

  test('BLK-01-partial a command that was sent when its process ended is not sent again, and the rest is', async () => {
    const ids = await manyDevices(60);
    const job = await started({ kind: 'command', command: await command() }, { devices: ids });
    const first: string[] = [];
    const hanging: CommandRuns['run'] = (_scope, _actor, _id, deviceId) => {
      first.push(deviceId);
      return new Promise(() => {});
    };
    const frozen = worker({ run: hanging });
    frozen.wake();
    await expect.poll(() => first.length).toBe(10);
    const second: string[] = [];
    await work({ run: responding(new Map(), second) });
    expect(second).toEqual([]);
    app.clock.set('2026-11-20T12:06:00Z');
    await work({ run: responding(new Map(), second) });
    expect(second).toHaveLength(10);
    expect(second.filter((id) => first.includes(id))).toEqual([]);
    const ended = await read(job.id);
    expect(ended).toMatchObject({ state: 'done', done: 10, failed: 50 });
    expect(new Set((await itemsOf(job.id, { state: 'failed' })).map(({ reason }) => reason))).toEqual(new Set(['interrupted']));
  });

  test('BLK-01-partial NOD-02-partial what routers have answered is stored though the database is away for a moment, and nothing is sent twice', async () => {
    const ids = await manyDevices(3);
    const job = await started({ kind: 'command', command: await command() }, { devices: ids });
    let failures = 0;
    const write: Database['write'] = (change) =>
      failures-- > 0 ? Promise.reject(new Error('connection lost')) : app.database.write(change);
    const calls: string[] = [];
    const run: CommandRuns['run'] = (...order) => {
      failures = 2;
      return responding(new Map(), calls)(...order);
    };
    await work({ database: { ...app.database, write }, run });
    expect(await read(job.id)).toMatchObject({ state: 'done', done: 3, failed: 0, retriable: false });
    expect(sorted(calls)).toEqual(sorted(ids));
  });

  test('BLK-01-partial a router whose rights cannot be read fails alone', async () => {
    const ids = await manyDevices(3);
    const job = await started({ kind: 'command', command: await command() }, { devices: ids });
    let reads = 0;
    const allowed = {
      // Read for the job, and then for each device.
      get limit() {
        reads += 1;
        if (reads === 2) throw new Error('connection lost');
        return undefined;
      },
    };
    await work({ findAllowed: () => Promise.resolve(allowed) });
    expect(await read(job.id)).toMatchObject({ state: 'done', done: 2, failed: 1 });
    expect((await itemsOf(job.id, { state: 'failed' })).map(({ reason }) => reason)).toEqual(['internal']);
  });

  test('BLK-01-partial a process that stops leaves what it has not sent to another', async () => {
    const ids = await manyDevices(12);
    await started({ kind: 'command', command: await command() }, { devices: ids });
    const { promise: responded, resolve } = Promise.withResolvers<{ outcome: 'done' }>();
    const first: string[] = [];
    const leaving = worker({
      run: (_scope, _actor, _id, deviceId) => {
        first.push(deviceId);
        return responded;
      },
    });
    leaving.wake();
    await expect.poll(() => first.length).toBe(10);
    const stopped = leaving.stop();
    resolve({ outcome: 'done' });
    await stopped;
    const second: string[] = [];
    await work({ run: responding(new Map(), second) });
    expect(second).toHaveLength(2);
    expect(new Set([...first, ...second]).size).toBe(12);
  });

  test('BLK-01-partial organizations alternate, and one has at most five jobs at a time', async () => {
    const run = { kind: 'command', command: await command() };
    const many = await manyDevices(120);
    await started(run, { devices: many });
    const other = app.person(sibling, 'admin');
    const body = { name: 'Reboot', kind: 'reboot' };
    const { id } = (await app.call('POST', '/data_manager/v1/dm/commands', { as: other, body })).json.result;
    const few = await device(sibling);
    await started({ kind: 'command', command: id }, { devices: [few.id] }, other);
    const calls: string[] = [];
    await work({ run: responding(new Map(), calls) });
    expect(calls).toHaveLength(121);
    expect(calls.indexOf(few.id)).toBeLessThanOrEqual(50);
    for (let count = 0; count < 5; count++) await started(run, { devices: [many[0]!] });
    expect((await start(run, { devices: [many[0]!] })).json.error.key).toBe('job.too_many');
    expect((await start({ kind: 'tags', add: ['x'] }, { devices: [few.id] }, other)).status).toBe(200);
  });
});

test('BLK-01-partial ended jobs are kept for 30 days', async () => {
  const { id } = await device();
  const job = await started({ kind: 'tags', add: ['bus'] }, { devices: [id] });
  await purgeBulkJobs(app.database, new Date('2026-12-20T11:59:00Z'));
  expect((await read(job.id)).id).toBe(job.id);
  await purgeBulkJobs(app.database, new Date('2026-12-20T12:01:00Z'));
  expect((await app.call('GET', `${JOBS}/${job.id}`, { as: admin })).status).toBe(404);
  expect((await app.owner.query('select 1 from bulk_job_items where job_id = $1', [job.id])).rows).toEqual([]);
});

test('BLK-02-partial tags are set with the device, listed with their numbers and found by the filter, in one spelling', async () => {
  const [first, second] = [await device(), await device()];
  const save = (id: string, tags: unknown) =>
    app.call('PATCH', '/data_manager/v1/dm/device', { as: admin, body: { device: id, tags } });
  expect((await save(first.id, ['Bus', 'night', 'Bus'])).json.result.tags).toEqual(['Bus', 'night']);
  await save(second.id, ['bus', 'night']);
  expect((await app.logOf(own.organizationId)).at(-1)).toBe(`Changed tags of device ${second.serial}`);
  expect((await app.call('GET', `${DEVICES}/tags`, { as: user })).json.result).toEqual([
    { tag: 'Bus', devices: 2 },
    { tag: 'night', devices: 2 },
  ]);
  const found = async (tag: string) =>
    (await app.call('GET', DEVICES, { as: user, query: { limit: 10, tag } })).json.result.map(
      (row: { device: string }) => row.device,
    );
  expect(sorted(await found('Bus'))).toEqual(sorted(idsOf([first, second])));
  expect(sorted(await found('night'))).toEqual(sorted(idsOf([first, second])));
  expect(await found("'; drop")).toEqual([]);
  expect(
    (
      await save(
        first.id,
        Array.from({ length: 21 }, (_, n) => `t${n}`),
      )
    ).json.error.field,
  ).toBe('tags');
  const before = (await app.logOf(own.organizationId)).length;
  expect((await save(first.id, ['night', 'Bus'])).status).toBe(200);
  expect((await app.logOf(own.organizationId)).length).toBe(before);
  const twenty = Array.from({ length: 19 }, (_, n) => `t${n}`);
  const full = await started({ kind: 'tags', add: twenty }, { devices: [first.id] });
  expect(await resultsOf(full.id)).toEqual([[first.id, 'failed: tags.too_many']]);
});
