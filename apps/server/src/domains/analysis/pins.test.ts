import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { withAccount } from '../../testing/records.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { purgeOrganizations } from '../organizations/index.ts';
import { organizationEnds } from '../modules.ts';

const STORE = '/vega_lite_manager/api/v1/store_draw';
const DRAWS = '/vega_lite_manager/api/v1/draws';

const app = useTestApp();
let main: MainScope;
let scope: OrganizationScope;
let admin: Actor;
let user: Actor;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Main')).scope;
});
beforeEach(async () => {
  scope = await app.seeding.organization(main, 'Buses');
  admin = await withAccount(app, scope, 'admin');
  user = await withAccount(app, scope, 'user');
  await app.takeOutbox();
});

const question = { groupId: 'default+group+id', propertyId: 'rssi', dayType: 'today' };
const chart = (more: object = {}, content: object = {}) => ({
  spec: { mark: 'bar', data: { values: [{ x: 1, y: 2 }] } },
  api: { chartType: 'device', arguments: { ...question, ...more } },
  content: { mark: 'bar', theme: 'light', title: 'Signal by device', argsLabel: ['Today', 'default'], ...content },
});
const pin = (as: Actor, body: object) => app.call('POST', STORE, { as, body });
const draws = async (as: Actor) => (await app.call('GET', DRAWS, { as })).json.result as { id: string }[];

describe('charts on the overview', () => {
  test("OVW-08-partial ANA-02-partial API-03-partial a pinned chart is its creator's, and its overview gets an event", async () => {
    const { json } = await pin(admin, { ...chart(), creator: admin.accountId });
    expect(json.result).toEqual({
      ...chart(),
      id: json.result.id,
      creator: admin.accountId,
      created: '2026-11-20T12:00:00.000Z',
    });
    expect(await draws(admin)).toEqual([json.result]);
    expect(await draws(user)).toEqual([]);
    expect(await app.takeOutbox()).toMatchObject([{ topic: 'charts', organization_id: scope.organizationId }]);
    expect((await app.logOf(scope.organizationId)).at(-1)).toBe('Pinned chart Signal by device to the overview');
  });

  test("ANA-02-partial the same query drawn the same way is the same pin, regardless of the reader's zone and of empty fields", async () => {
    const { json } = await pin(admin, chart());
    const again = await pin(
      admin,
      chart({ zone: 'Asia/Taipei', deviceId: '', projectId: scope.organizationId }, { title: 'Another title' }),
    );
    expect(again.json.result).toEqual(json.result);
    await pin(admin, chart({}, { mark: 'line' }));
    await pin(admin, chart({ dayType: 'week' }));
    expect(await draws(admin)).toHaveLength(3);
  });

  test('OVW-08-partial an overview has at most twelve, also when two are pinned at once', async () => {
    const pinned = await Promise.all(Array.from({ length: 14 }, (_, index) => pin(user, chart({ num: String(index) }))));
    expect(pinned.filter(({ status }) => status === 200)).toHaveLength(12);
    expect(pinned.find(({ status }) => status !== 200)!.json.error.key).toBe('analysis.too_many_pins');
    const [first] = await draws(user);
    expect((await app.call('DELETE', `${DRAWS}/${first!.id}`, { as: admin })).status).toBe(404);
    expect((await app.call('DELETE', `${DRAWS}/${first!.id}`, { as: user })).json.result).toEqual({ deleted: 1 });
    expect((await pin(user, chart({ num: 'one more' }))).status).toBe(200);
  });

  test.each([
    ["another user's", () => ({ ...chart(), creator: admin.accountId }), 'creator'],
    ['of another organization', () => chart({ projectId: admin.accountId }), 'projectId'],
    ['claimed to be of another organization', () => chart({}, { projectId: admin.accountId }), 'projectId'],
    ['of a hundred kilobytes', () => ({ ...chart(), spec: { values: 'x'.repeat(100_000) } }), 'spec'],
  ])('a chart %s is not pinned', async (_, body, field) => {
    const { status, json } = await pin(user, body());
    expect([status, json.error.key, json.error.field]).toEqual(
      field === 'projectId' ? [404, 'not_found', field] : [400, 'request.invalid', field],
    );
    expect(await draws(user)).toEqual([]);
  });

  test('pins are deleted with the account, and with an organization that is purged', async () => {
    const head = await withAccount(app, main, 'main');
    await pin(user, chart());
    await pin(head, { org: scope.organizationId, ...chart() });
    const kept = async () =>
      (await app.owner.query('select account_id from pinned_charts where organization_id = $1', [scope.organizationId])).rows;
    await app.owner.query('delete from accounts where id = $1', [user.accountId]);
    expect(await kept()).toEqual([{ account_id: head.accountId }]);
    await app.call('DELETE', '/data_manager/v1/dm/org', { as: head, body: { org: scope.organizationId } });
    const later = new Date(app.clock.now().getTime() + 31 * 86_400_000);
    await purgeOrganizations({ database: app.database, organizationEnds }, later);
    expect(await kept()).toEqual([]);
  });
});
