import { beforeEach, expect, test } from 'vitest';
import type { bulkJobs } from '@highline/contract';
import { newId, type Actor, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { testRemovals } from '../../testing/removals.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createBulkWorker } from './index.ts';

const JOBS = '/data_manager/v1/dm/jobs';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;

beforeEach(async () => {
  ({ main, own, sibling, mainPerson, admin } = await openHome(app));
  await app.owner.query(`update bulk_jobs set state = 'cancelled', ended_at = now() where ended_at is null`);
});

const fresh = routersNamed('RW');
const start = (list: string, rows: readonly string[], as: Actor, more: object = {}) =>
  app.call('POST', JOBS, { as, body: { action: { kind: 'remove', list }, selection: { rows }, ...more } });
const started = async (...input: Parameters<typeof start>): Promise<bulkJobs.BulkJob> => {
  const { status, json, text } = await start(...input);
  expect(status, text).toBe(200);
  return json.result;
};
const read = async (id: string, as: Actor): Promise<bulkJobs.BulkJob> =>
  (await app.call('GET', `${JOBS}/${id}`, { as })).json.result;
const results = async (id: string, as: Actor): Promise<unknown[]> => {
  const { result } = (await app.call('GET', `${JOBS}/${id}/devices`, { as, query: { limit: 200 } })).json;
  return result.map(({ row, state, reason, message }: bulkJobs.JobItem) => [
    row?.name,
    reason === null ? state : `${state}: ${reason}`,
    ...(message === null ? [] : [message]),
  ]);
};

function worker(mayAct: (actor: Actor) => Promise<boolean> = () => Promise.resolve(true)) {
  const { database, clock, expiringDays, disconnected } = app;
  const deviceLink = { disconnect: (ids: readonly string[]) => void disconnected.push(...ids) } as never;
  const runs = { run: () => Promise.reject(new Error('No command is run here.')) };
  return createBulkWorker({
    database,
    clock,
    log: { warn: () => {} } as never,
    deviceLink,
    expiringDays,
    runs,
    findAllowed: async (actor) => ((await mayAct(actor)) ? {} : undefined),
    removals: testRemovals(app, ended),
  });
}
const ended: string[] = [];
const work = async (mayAct?: (actor: Actor) => Promise<boolean>) => {
  for (const job of worker(mayAct).jobs) await job.run(app.clock.now());
};

test('BLK-01-partial rows of every list are deleted by a job, each with a result of its own; exactly the failed are tried again', async () => {
  const { seeding } = app;
  const [north, south] = [await seeding.group(own, 'North'), await seeding.group(own, 'South')];
  const [free, bound] = [await seeding.config(own, { name: 'free.cfg' }), await seeding.config(own, { name: 'bound.cfg' })];
  await seeding.binding(own, { group: north, kind: 'config', file: bound, schedule: 'immediate' });
  const mails = ['a@rows.example', 'b@rows.example'];
  for (const mail of mails)
    await app.call('POST', '/data_manager/v1/notify/user', { as: admin, body: { mail, events: ['BATTERY_LOW'] } });
  const configs = await started('configs', [free, bound], admin);
  const notified = await started('notifications', mails, admin);
  expect(configs).toMatchObject({ state: 'running', kind: 'remove', list: 'configs', total: 2, done: 0, undoable: false });
  await app.owner.query('delete from notification_subscriptions where mail = $1', [mails[1]]);
  await work();
  expect(await results(configs.id, admin)).toEqual([
    ['bound.cfg', 'failed: config.bound', 'North'],
    ['free.cfg', 'done'],
  ]);
  expect(await results(notified.id, admin)).toEqual([
    [mails[0], 'done'],
    [mails[1], 'skipped: gone'],
  ]);
  const groups = await started('groups', [north, south], admin);
  await work();
  expect(await read(groups.id, admin)).toMatchObject({ state: 'done', done: 2, failed: 0 });
  const again: bulkJobs.BulkJob = (await app.call('POST', `${JOBS}/${configs.id}/retry`, { as: admin, body: {} })).json.result;
  await work();
  expect(await results(again.id, admin)).toEqual([['bound.cfg', 'done']]);
  expect((await app.logOf(own.organizationId)).slice(-5)).toEqual([
    'Started to delete groups',
    'Deleted group North',
    'Deleted group South',
    'Tried again to delete config files',
    'Deleted config file bound.cfg',
  ]);
});

test('BLK-01-partial users, colleagues, routers, images, keys and organizations, whose owner is the main account', async () => {
  const { seeding } = app;
  const mail = (name: string) => `${name}.${newId()}@rows.example`;
  const [lastAdmin, user] = [
    await seeding.account(sibling, mail('admin'), 'admin'),
    await seeding.account(sibling, mail('user'), 'user'),
  ];
  const users = await started('users', [lastAdmin, user], mainPerson);
  const colleague = await seeding.account(main, mail('colleague'), 'main');
  const self = await seeding.account(main, mail('self'), 'main');
  const actor: Actor = { ...mainPerson, accountId: self };
  const colleagues = await started('colleagues', [colleague], mainPerson);
  await app.owner.query('update bulk_jobs set actor = $2 where id = $1', [colleagues.id, JSON.stringify(actor)]);
  const routers = await seeding.routers(main, [fresh(), fresh()]);
  const claimed = await addDevice(app, own, fresh());
  const stock = await started('inventory', [...routers.map(({ id }) => id), claimed.routerId], mainPerson);
  const images = await started('firmware', [await seeding.firmware(main, { version: '1.2.3', model: 'HL-R320' })], mainPerson);
  const key = { name: 'Rows', operations: ['devices.list'] };
  const { id } = (await app.call('POST', '/data_manager/v1/dm/api_keys', { as: admin, body: key })).json.result;
  const keys = await started('apiKeys', [id], mainPerson);
  await work();
  expect(await results(users.id, mainPerson)).toEqual([
    [expect.stringContaining('admin.'), 'failed: account.last_admin'],
    [expect.stringContaining('user.'), 'done'],
  ]);
  expect(await results(colleagues.id, mainPerson)).toEqual([[expect.stringContaining('colleague.'), 'done']]);
  expect(ended).toEqual(expect.arrayContaining([user, colleague]));
  expect(await results(stock.id, mainPerson)).toEqual([
    [routers[0]!.serial, 'done'],
    [routers[1]!.serial, 'done'],
    [claimed.serial, 'failed: inventory.claimed'],
  ]);
  expect(app.disconnected).toEqual(expect.arrayContaining(routers.map((router) => router.id)));
  expect(await results(images.id, mainPerson)).toEqual([['1.2.3 (HL-R320)', 'done']]);
  expect(await results(keys.id, mainPerson)).toEqual([['Rows', 'done']]);

  const organizations = await started('organizations', [own.organizationId, sibling.organizationId], mainPerson);
  await work();
  expect(await results(organizations.id, mainPerson)).toEqual([
    ['Own', 'done'],
    ['Sibling', 'done'],
  ]);
  const { rows: back } = await app.owner.query('select organization_id from routers where id = $1', [claimed.routerId]);
  expect(back).toEqual([{ organization_id: null }]);
});

test('BLK-01-partial IAM-06-partial IAM-07-partial a row that rules keep says which one, and a deletion that waits for a second person is requested as it is tried again', async () => {
  const { owner, seeding } = app;
  const email = `kept.${newId()}@rows.example`;
  const kept = await seeding.account(own, email, 'admin', 'correct horse battery');
  await seeding.account(own, `other.${newId()}@rows.example`, 'admin');
  const policy = { needsFactor: false, idleMinutes: 720, lifetimeHours: 168, ranges: ['0.0.0.0/0', '::/0'], excepted: [email] };
  const saved = await app.call('PUT', '/dmp_aa/api/v1/auth/policy', { as: admin, body: policy });
  expect(saved.status, saved.text).toBe(200);
  const users = await started('users', [kept], admin);
  const organizations = await started('organizations', [sibling.organizationId], mainPerson);
  await owner.query(
    `insert into approval_policies (company_id, main_account_id, organization_id, factory_reset, settings, deletion, changed_by_email, updated_at)
      values ($1, $1, null, false, false, true, '', now())`,
    [main.mainAccountId],
  );
  await work();
  expect(await results(users.id, admin)).toEqual([[expect.stringContaining('kept.'), 'failed: account.last_excepted']]);
  expect(await results(organizations.id, mainPerson)).toEqual([['Sibling', 'failed: approval.waiting']]);
  const again = await app.call('POST', `${JOBS}/${organizations.id}/retry`, { as: mainPerson, body: {} });
  expect([again.status, again.json.error?.key], again.text).toEqual([409, 'approval.waiting']);
});

test('BLK-01-partial a foreign row is a 404, a role or key that may not delete one may not delete many, and a changed effect is not confirmed', async () => {
  const { seeding } = app;
  const [mine, theirs] = [await seeding.config(own, { name: 'mine.cfg' }), await seeding.config(sibling, { name: 'theirs.cfg' })];
  expect((await start('configs', [mine, theirs], admin)).status).toBe(404);
  expect((await start('configs', ['no uuid'], admin)).status).toBe(404);
  expect((await start('groups', ['no such group'], admin)).status).toBe(404);
  expect((await start('users', [await seeding.account(main, `m.${newId()}@rows.example`, 'main')], mainPerson)).status).toBe(404);
  expect((await start('inventory', [newId()], mainPerson)).status).toBe(404);
  for (const list of ['inventory', 'colleagues', 'organizations', 'firmware'])
    expect((await start(list, [newId()], admin)).json.error.key).toBe('permission.denied');
  expect((await start('configs', [mine], mainPerson)).json.error.key).toBe('permission.denied');
  expect((await start('notifications', ['x@rows.example'], mainPerson)).json.error.key).toBe('request.org_required');
  expect((await start('inventory', [newId()], mainPerson, { org: own.organizationId })).json.error.key).toBe('request.invalid');
  expect((await start('nothing', [newId()], admin)).status).toBe(400);
  const body = { action: { kind: 'remove', list: 'configs' }, selection: { devices: [newId()] } };
  expect((await app.call('POST', JOBS, { as: admin, body })).json.error.key).toBe('request.invalid');
  const rows = { action: { kind: 'delete' }, selection: { rows: [newId()] } };
  expect((await app.call('POST', JOBS, { as: admin, body: rows })).json.error.key).toBe('request.invalid');

  const key = await seeding.group(own, 'Seen');
  await addDevice(app, own, fresh(), { group: key });
  expect((await start('groups', [key], admin, { confirmed: 'of another moment' })).json.error.key).toBe('impact.changed');
});

test('BLK-01-partial a row that fails for a technical reason fails alone: those after it are deleted', async () => {
  const keys: string[] = [];
  for (const name of ['First', 'Second', 'Third']) keys.push(await app.seeding.group(own, name));
  await app.owner.query(`create function keep_second() returns trigger language plpgsql as
      'begin if old.name = $$Second$$ then raise exception $$out of shared memory$$; end if; return old; end';
    create trigger keep_second before delete on groups for each row execute function keep_second()`);
  const job = await started('groups', keys, admin);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await work();
    await app.owner.query('update bulk_jobs set due_at = $2 where id = $1', [job.id, app.clock.now()]);
  }
  expect(await results(job.id, admin)).toEqual([
    ['First', 'done'],
    ['Second', 'failed: internal'],
    ['Third', 'done'],
  ]);
  await app.owner.query('drop function keep_second cascade');
  const again: bulkJobs.BulkJob = (await app.call('POST', `${JOBS}/${job.id}/retry`, { as: admin, body: {} })).json.result;
  await work();
  expect(await results(again.id, admin)).toEqual([['Second', 'done']]);
});

test('BLK-01-partial each row and its result are one transaction: two processes and one that ends in between delete each row once', async () => {
  const keys: string[] = [];
  for (let n = 10; n < 70; n++) keys.push(await app.seeding.group(own, `Row ${n}`));
  const job = await started('groups', keys, admin);
  let checks = 0;
  // Two rights for each row: the deletion of a group moves its devices.
  const dying = () => (checks++ < 2 * 25 ? Promise.resolve(true) : Promise.reject(new Error('killed')));
  await expect(work(dying)).rejects.toThrow('killed');
  expect(await read(job.id, admin)).toMatchObject({ state: 'running', done: 25 });
  await Promise.all([work(), work(), worker().removeFirst(own, job.id)]);
  expect(await read(job.id, admin)).toMatchObject({ state: 'done', done: 60, failed: 0, skipped: 0 });
  const deleted = (await app.logOf(own.organizationId)).filter((text) => text.startsWith('Deleted group'));
  expect(deleted).toEqual(keys.map((_, at) => `Deleted group Row ${at + 10}`));

  const others = [await app.seeding.group(own, 'Stays'), await app.seeding.group(own, 'Stays too')];
  const cancelled = await started('groups', others, admin);
  await app.call('POST', `${JOBS}/${cancelled.id}/cancel`, { as: admin, body: {} });
  await work();
  const second = await started('groups', others, admin);
  await work(() => Promise.resolve(false));
  for (const { id } of [cancelled, second]) expect(await read(id, admin)).toMatchObject({ state: 'cancelled', done: 0 });
});
