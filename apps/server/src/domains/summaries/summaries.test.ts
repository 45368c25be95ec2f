import type { summaries } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const BASE = '/data_manager/v1/dm/summaries';
const app = useTestApp('2026-11-20T12:00:00Z');
const fresh = routersNamed('SU');
const october = { from: '2026-10-01', until: '2026-10-31' };
let own: OrganizationScope;
let user: Actor;
let mainPerson: Actor;
let unrelated: Actor;
let bus: TestDevice;

const preview = (as: Actor, query: Readonly<Record<string, string>>) => app.call('GET', `${BASE}/preview`, { as, query });
const file = (as: Actor, query: Readonly<Record<string, string>>) => app.call('GET', `${BASE}/file`, { as, query });
const summaryOf = async (kind: summaries.SummaryKind, query = {}, as = user): Promise<summaries.Summary> =>
  (await preview(as, { kind, ...october, ...query })).json.result;

beforeAll(async () => {
  ({ own, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'user');
  bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: '=1+1 Bus 7' } });
  await app.owner.query(`update router_ownership set owned_from = '2026-09-01'`);
  const plan = '01a00000-0000-7000-8000-000000000001';
  await app.owner.query(
    `insert into usage_plans (organization_id, id, name, cycle_day, allowance, is_pool, cost_per_gb, currency, applies_to, shares, action, actor)
     values ($1, $2, 'Fleet 5', 1, 5000000000, false, 4, 'USD', 'all', '{80}', 'mail', '{}')`,
    [own.organizationId, plan],
  );
  // The carrier of the SIM that was used then.
  await app.owner.query(
    `insert into usage_sims (organization_id, iccid, carrier, plan_id) values ($1, '8901260000009876547', 'AT&T', $2)`,
    [own.organizationId, plan],
  );
  await app.owner.query(
    `insert into usage_days (organization_id, day, iccid, device_id, sent, received) values
      ($1, '2026-10-01', '8901260000009876547', $2, 500000000, 1000000000), ($1, '2026-10-31', '8901260000009876547', $2, 0, 1000000000),
      ($1, '2026-11-01', '8901260000009876547', $2, 0, 7000000000)`,
    [own.organizationId, bus.id],
  );
});

/** A dispatcher's acknowledgement in October of an alert of then, and the same a month later. */
async function acknowledgeAlerts(): Promise<void> {
  await app.owner.query(
    `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number,
       group_key, state, since, fired_at, acknowledged_at, acknowledged_by)
     select d.organization_id, gen_random_uuid(), d.main_account_id, gen_random_uuid(), 'Depot link', 'critical', 'offline', d.id, d.serial,
       d.vehicle_number, d.group_key, 'acknowledged', at, at, at + interval '5 minutes', 'dispatch@example.com'
     from devices d, (values ('2026-10-31T23:00:00Z'::timestamptz), ('2026-11-01T09:00:00Z')) as fired (at) where d.id = $1`,
    [bus.id],
  );
}

describe('summaries of a period', () => {
  test('RPM-01-partial data used names vehicle, serial number, SIM, carrier of then, plan and cost', async () => {
    const { title, lines, columns, rows } = await summaryOf('data-use', { zone: 'America/Chicago' });
    expect(title).toBe('Data use');
    expect(lines[1]).toBe('10/01/2026 – 10/31/2026, America/Chicago');
    expect(Object.fromEntries(columns.map((column, at) => [column.title, rows[0]![at]]))).toMatchObject({
      Vehicle: '=1+1 Bus 7',
      'Serial number': bus.serial,
      ICCID: '8901260000009876547',
      Carrier: 'AT&T',
      Plan: 'Fleet 5',
      MB: '2500.00',
      Cost: '10.00',
      Currency: 'USD',
    });
    expect(rows).toHaveLength(1);
  });

  test('RPM-01-partial every kind answers, also a main account, in both languages', async () => {
    for (const kind of ['data-use', 'availability', 'outages', 'signal', 'alerts', 'people', 'inventory'] as const)
      for (const as of [user, mainPerson]) {
        const { title, columns } = await summaryOf(kind, { language: 'zh-TW' }, as);
        expect(title, kind).toMatch(/\p{Script=Han}/u);
        expect(columns.length, kind).toBeGreaterThan(3);
      }
    expect((await summaryOf('inventory')).rows.map(([vehicle]) => vehicle)).toEqual(['=1+1 Bus 7']);
    expect((await summaryOf('data-use', {}, unrelated)).rows).toEqual([]);
  });

  test('RPM-01-partial alerts of a period say when, how severe, which vehicle and who acknowledged them', async () => {
    await acknowledgeAlerts();
    const { columns, rows } = await summaryOf('alerts', { zone: 'America/Chicago' });
    // 23:00 UTC of 31 October is still that day in Chicago, and 09:00 of the next is not.
    expect(rows.map((row) => Object.fromEntries(columns.map(({ title }, at) => [title, row[at]])))).toMatchObject([
      {
        Fired: expect.stringContaining('18:00'),
        Severity: 'Critical',
        Rule: 'Depot link',
        Vehicle: '=1+1 Bus 7',
        By: 'dispatch@example.com',
      },
    ]);
    expect((await summaryOf('alerts', {}, unrelated)).rows).toEqual([]);
  });

  test('RPM-01-partial the acts of people are those of the own log, within the period', async () => {
    const admin = app.person(own, 'admin');
    const body = { name: 'Act of November' };
    expect((await app.call('POST', '/data_manager/v1/dm/group', { as: admin, body })).status).toBe(200);
    const november = { from: '2026-11-01', until: '2026-11-30' };
    const acts = (await summaryOf('people', november)).rows;
    expect(acts.some((row) => row.includes(admin.email) && row.at(-1)!.includes('Act of November'))).toBe(true);
    expect((await summaryOf('people')).rows).toEqual([]);
    expect(JSON.stringify((await summaryOf('people', november, unrelated)).rows)).not.toContain('Act of November');
  });

  test('RPM-02-partial the CSV begins with what, whose, when and zone, and no cell of it is a formula', async () => {
    const { text, headers } = await file(user, { kind: 'data-use', ...october, format: 'csv', zone: 'America/Chicago' });
    const [title, owner, when, blank, titles, row] = text.replace('\ufeff', '').split('\r\n');
    expect([title, when, blank]).toEqual(['Data use', '"10/01/2026 – 10/31/2026, America/Chicago"', '']);
    expect(owner).not.toBe('');
    expect(titles).toMatch(/^Vehicle,Serial number,ICCID/u);
    expect(row).toMatch(/^'=1\+1 Bus 7,/u);
    expect(headers['content-disposition']).toMatch(/Data_use_.*2026-10-01_2026-10-31\.csv/u);
  });

  test('RPM-02-partial PDF and Excel are files of their kind; one row, and none', async () => {
    for (const query of [october, { from: '2026-09-01', until: '2026-09-02' }]) {
      expect((await file(user, { kind: 'data-use', ...query, format: 'pdf', language: 'zh-TW' })).text.slice(0, 5)).toBe('%PDF-');
      expect((await file(user, { kind: 'data-use', ...query, format: 'xlsx' })).text.slice(0, 2)).toBe('PK');
    }
  });

  test('RPM-01-partial a group of others, an unknown kind, an unknown zone and a period that is too long are plain errors', async () => {
    expect((await preview(user, { kind: 'inventory', group: 'no-such-group' })).status).toBe(404);
    expect((await preview(user, { kind: 'weather' })).status).toBe(400);
    expect((await preview(user, { kind: 'alerts', zone: 'Nowhere/City' })).status).toBe(400);
    expect((await preview(user, { kind: 'alerts', from: '2026-01-01', until: '2026-11-01' })).status).toBe(400);
  });
});
