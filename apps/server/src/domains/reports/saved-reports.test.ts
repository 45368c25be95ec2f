import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { withAccount } from '../../testing/records.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { purgeOrganizations } from '../organizations/index.ts';
import { organizationEnds } from '../modules.ts';

const PATH = '/data_manager/api/v1/reports';

const app = useTestApp();
let main: MainScope;
let scope: OrganizationScope;
let admin: Actor;
let user: Actor;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Main')).scope;
  scope = await app.seeding.organization(main, 'Buses');
  admin = await withAccount(app, scope, 'admin');
  user = await withAccount(app, scope, 'user');
});

const report = (reportName: string, more: object = {}) => ({
  reportName,
  dayType: 'week',
  startDate: '',
  endDate: '',
  queryId: '',
  groupId: 'default+group+id',
  deviceId: '',
  properties: { id: 'rssi' },
  num: '-71',
  ...more,
});
const save = (as: Actor, body: object) => app.call('POST', PATH, { as, body });
const list = async (as: Actor) => (await app.call('GET', PATH, { as })).json.result as { id: string; reportName: string }[];

describe('saved reports', () => {
  test('RPT-01-partial API-03-partial a report is saved under its name for its user, and the same name replaces it', async () => {
    const { json } = await save(admin, report('Weak signal'));
    expect(json.result).toEqual({ id: json.result.id, projectId: scope.organizationId, ...report('Weak signal') });
    await save(admin, report('A first one'));
    const again = await save(admin, report('Weak signal', { num: '-90', dayType: null, startDate: '2026-11-20T00:00:00.000Z' }));
    expect(again.json.result).toMatchObject({
      id: json.result.id,
      num: '-90',
      dayType: null,
      startDate: '2026-11-20T00:00:00.000Z',
    });
    expect((await list(admin)).map(({ reportName }) => reportName)).toEqual(['A first one', 'Weak signal']);
    expect(await list(user)).toEqual([]);
    expect((await app.logOf(scope.organizationId)).slice(-3)).toEqual([
      'Saved report Weak signal',
      'Saved report A first one',
      'Changed report Weak signal',
    ]);
    await app.takeOutbox();
    await save(admin, report('A first one'));
    expect(await app.takeOutbox()).toEqual([]);
  });

  test('API-03-partial RPT-01-partial a report with exactly the arguments of the specification is saved, of a group or of the whole organization, and reads back as it was sent', async () => {
    const listed = {
      startDate: '2026/11/20 00:00:00',
      endDate: '2026/11/21 00:00:00',
      dayType: '',
      queryId: '',
      projectId: 'default+group+id',
      deviceId: '',
      properties: { id: 'rssi' },
      num: '',
    };
    const ofGroup = await save(user, { ...listed, reportName: 'Of a group' });
    expect([ofGroup.status, ofGroup.json.result]).toEqual([
      200,
      { id: ofGroup.json.result.id, reportName: 'Of a group', groupId: 'default+group+id', ...listed, dayType: null },
    ]);
    const ofAll = await save(user, { ...listed, reportName: 'Of all', projectId: scope.organizationId });
    expect(ofAll.json.result).toMatchObject({ projectId: scope.organizationId, groupId: '' });
    const { json } = await save(user, { reportName: 'Only a name' });
    expect(json.result).toMatchObject({ dayType: null, startDate: '', properties: { id: '' }, num: '', groupId: '' });
    const foreign = await app.seeding.organization((await app.seeding.mainAccount('Abroad')).scope, 'Abroad');
    for (const projectId of [foreign.organizationId, 'no-such-group'])
      expect((await save(user, { ...listed, reportName: 'Foreign', projectId })).status).toBe(404);
    const wrong = await save(user, { ...listed, reportName: 5 });
    expect(wrong.json.error).toMatchObject({ message: 'reportName: must be text', field: 'reportName' });
    for (const { id, reportName } of await list(user))
      if (reportName.startsWith('O')) await app.call('DELETE', `${PATH}/${id}`, { as: user });
  });

  test("a user can delete their own reports, and no one else's", async () => {
    const { json } = await save(user, report('Mine'));
    const { id } = json.result;
    expect((await app.call('DELETE', `${PATH}/${id}`, { as: admin })).status).toBe(404);
    expect((await app.call('DELETE', `${PATH}/none`, { as: user })).status).toBe(404);
    expect((await app.call('DELETE', `${PATH}/${id}`, { as: user })).json.result).toEqual({ deleted: 1 });
    expect(await list(user)).toEqual([]);
  });

  test('a user can save a hundred of them', async () => {
    await app.owner.query(
      `insert into saved_reports (organization_id, account_id, id, name, question)
       select $1, $2, gen_random_uuid(), 'Report ' || n, '{}' from generate_series(1, 99) n`,
      [scope.organizationId, user.accountId],
    );
    expect((await save(user, report('The hundredth'))).status).toBe(200);
    const rejected = await save(user, report('One more'));
    expect([rejected.status, rejected.json.error.key]).toEqual([409, 'report.too_many']);
    expect((await save(user, report('Report 7', { num: '1' }))).status).toBe(200);
  });

  test('they are deleted with the account, and with an organization that is purged', async () => {
    const other = await app.seeding.organization(main, 'Trams');
    const [leaving, head] = [await withAccount(app, other, 'user'), await withAccount(app, main, 'main')];
    await save(leaving, report('Gone with me'));
    const kept = () =>
      app.owner.query<{ name: string }>('select name from saved_reports where organization_id = $1', [other.organizationId]);
    const body = { org: other.organizationId, ...report('Gone with the trams') };
    expect((await save(head, body)).status).toBe(200);
    expect((await kept()).rows).toHaveLength(2);
    await app.owner.query('delete from accounts where id = $1', [leaving.accountId]);
    expect((await kept()).rows).toEqual([{ name: 'Gone with the trams' }]);
    await app.call('DELETE', '/data_manager/v1/dm/org', { as: head, body: { org: other.organizationId } });
    const later = new Date(app.clock.now().getTime() + 31 * 86_400_000);
    await purgeOrganizations({ database: app.database, organizationEnds }, later);
    expect((await kept()).rows).toEqual([]);
  });
});
