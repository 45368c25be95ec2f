import {
  summaryFilters,
  summaryKinds,
  type SummaryKind,
  DEFAULT_GROUP_KEY,
  remoteAccess,
  summaries,
  type usagePlans,
} from '@highline/contract';
import { parse } from 'csv-parse/sync';
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
const summaryOf = async (kind: SummaryKind, query = {}, as = user): Promise<summaries.Summary> =>
  (await preview(as, { kind, ...october, ...query })).json.result;

beforeAll(async () => {
  ({ own, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'user');
  bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: '=1+1 Bus 7' } });
  await app.owner.query(`update router_ownership set owned_from = '2026-09-01'`);
  // As the organization counts data used.
  await app.owner.query(`insert into usage_zones (organization_id, from_at, zone) values ($1, '2026-01-01', 'America/Chicago')`, [
    own.organizationId,
  ]);
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

/** Rows by the titles of their columns. */
const named = ({ columns, rows }: summaries.Summary) =>
  rows.map((row) => Object.fromEntries(columns.map(({ title }, at) => [title, row[at]])));

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
  test('RPM-01-partial data used names vehicle, serial number, SIM, its first carrier, plan and cost', async () => {
    // Its days are those of the organization, wherever its reader is; of a main account, of each one.
    const { title, lines, columns, rows } = await summaryOf('data-use', { zone: 'Asia/Taipei' });
    expect(title).toBe('Data use');
    expect(lines[1]).toBe('10/01/2026 – 10/31/2026, America/Chicago');
    expect((await summaryOf('availability', { zone: 'Asia/Taipei' })).lines[1]).toBe('10/01/2026 – 10/31/2026, Asia/Taipei');
    expect((await summaryOf('data-use', {}, mainPerson)).lines[1]).toBe(
      '10/01/2026 – 10/31/2026, time zone of each organization',
    );
    expect(Object.fromEntries(columns.map((column, at) => [column.title, rows[0]![at]]))).toMatchObject({
      Vehicle: '=1+1 Bus 7',
      'Serial number': bus.serial,
      ICCID: '8901260000009876547',
      'First carrier': 'AT&T',
      Plan: 'Fleet 5',
      MB: '2500.00',
      Cost: '10.00',
      Currency: 'USD',
    });
    expect(rows).toHaveLength(1);
    // As plans compare it.
    for (const carrier of ['AT&T', 'at&t', ' At&T'])
      expect((await summaryOf('data-use', { carrier })).rows, carrier).toEqual(rows);
  });

  test('RPM-01-partial every kind answers, also a main account, in both languages', async () => {
    for (const kind of summaryKinds)
      for (const as of [user, mainPerson]) {
        const { title, columns } = await summaryOf(kind, { language: 'zh-TW' }, as);
        expect(title, kind).toMatch(/\p{Script=Han}/u);
        expect(columns.length, kind).toBeGreaterThan(3);
      }
    expect((await summaryOf('inventory')).rows.map(([vehicle]) => vehicle)).toEqual(['=1+1 Bus 7']);
    expect((await summaryOf('data-use', {}, unrelated)).rows).toEqual([]);
  });

  test('RPM-01-partial data used is added up by vehicle, group and plan, with SIMs, cost and currency', async () => {
    for (const [sumBy, name] of [
      ['vehicles', '=1+1 Bus 7'],
      ['groups', 'default'],
      ['plans', 'Fleet 5'],
    ] as const)
      expect(named(await summaryOf('data-use', { sumBy })), sumBy).toMatchObject([
        {
          SIMs: '1',
          MB: '2500.00',
          Cost: '10.00',
          Currency: 'USD',
          [sumBy === 'vehicles' ? 'Vehicle' : sumBy === 'groups' ? 'Group' : 'Plan']: name,
        },
      ]);
  });

  test('RPM-01-partial USE-03-partial the cost of many SIMs that use little each is that of what all of them used, on the page, in files and at the plan', async () => {
    const home = await openHome(app);
    const { organizationId } = home.own;
    const van = await addDevice(app, home.own, fresh());
    for (const [plan, currency, price, sims, bytes] of [
      ['01a00000-0000-7000-8000-000000000002', 'EUR', 0.9, 500, 5_000_000],
      // Half a cent is the same on both.
      ['01a00000-0000-7000-8000-000000000003', 'USD', 1, 1, 1_005_000_000],
    ]) {
      await app.owner.query(
        `insert into usage_plans (organization_id, id, name, cycle_day, allowance, is_pool, cost_per_gb, currency, applies_to, shares, action, actor)
         values ($1, $2, $3, 1, 5000000000, false, $4, $3, 'chosen', '{80}', 'mail', '{}')`,
        [organizationId, plan, currency, price],
      );
      await app.owner.query(
        `with sims as (insert into usage_sims (organization_id, iccid, carrier, plan_id)
           select $1, $3::text || lpad(n::text, 16, '0'), 'AT&T', $2 from generate_series(1, $4::int) n returning *),
         days as (insert into usage_days (organization_id, day, iccid, device_id, sent, received)
           select organization_id, '2026-11-10', iccid, $5, $6, 0 from sims)
         insert into usage_cycles select organization_id, '2026-11-01', iccid, $5, $6, 0 from sims`,
        [organizationId, plan, currency === 'EUR' ? '891' : '892', sims, van.id, bytes],
      );
    }
    const november = { from: '2026-11-01', until: '2026-11-20' };
    for (const sumBy of ['vehicles', 'groups', 'plans'] as const) {
      const costs = named(await summaryOf('data-use', { ...november, sumBy }, home.user)).map(({ Cost, Currency }) => [
        Cost,
        Currency,
      ]);
      expect(costs, sumBy).toEqual([['2.25', 'EUR'], ['1.01', 'USD']]); // prettier-ignore
    }
    const { text } = await file(home.user, {
      kind: 'data-use',
      ...november,
      sumBy: 'plans',
      format: 'csv',
      columns: 'name,cost',
    });
    expect(text).toMatch(/\r\nEUR,2\.25\r\nUSD,1\.01\r\n$/u);
    const { json } = await app.call('GET', '/data_manager/v1/dm/usage/plans', { as: home.user });
    expect(json.result.map(({ name, use }: usagePlans.UsagePlan) => [name, use.cost])).toEqual([['EUR', 2.25], ['USD', 1.01]]); // prettier-ignore
  });

  test('RPM-01-partial every kind is limited to a group, a carrier and a tag where it has them, and says so; else it is a plain error', async () => {
    await app.owner.query(`update devices set tags = '{Night}' where id = $1`, [bus.id]);
    for (const kind of summaryKinds)
      for (const [filter, value, line] of [
        ['group', DEFAULT_GROUP_KEY, 'Group: default'],
        ['carrier', 'No Such', 'Carrier: No Such'],
        ['tag', 'night', 'Tag: night'],
      ] as const) {
        const { status, json } = await preview(user, { kind, ...october, [filter]: value });
        const isKnown = summaryFilters[kind].includes(filter);
        expect(status, `${kind} ${filter}`).toBe(isKnown ? 200 : 400);
        if (isKnown) expect(json.result.lines, `${kind} ${filter}`).toContain(line);
      }
    expect((await summaryOf('data-use', { tag: 'NIGHT' })).rows).toHaveLength(1);
    expect((await summaryOf('data-use', { tag: 'day' })).rows).toEqual([]);
    expect((await summaryOf('data-use', { carrier: 'Southern' })).rows).toEqual([]);
    expect((await preview(user, { kind: 'inventory', sumBy: 'plans' })).status).toBe(400);
  });

  test('RPM-01-partial columns are those that were chosen, in their order; one that is unknown is a plain error', async () => {
    const { columns, allColumns, rows } = await summaryOf('data-use', { columns: 'total,name' });
    expect(columns.map(({ title }) => title)).toEqual(['MB', 'Vehicle']);
    expect(rows).toEqual([['2500.00', '=1+1 Bus 7']]);
    expect(allColumns.length).toBeGreaterThan(8);
    for (const wrong of ['weather', 'name,name', 'constructor'])
      expect((await preview(user, { kind: 'data-use', columns: wrong })).status, wrong).toBe(400);
  });

  test('RPM-01-partial subscriptions say their state and the days that are left', async () => {
    await app.owner.query(`update devices set started_on = '2026-01-01', expires_on = '2026-11-29' where id = $1`, [bus.id]);
    expect(named(await summaryOf('subscriptions'))).toMatchObject([
      { Vehicle: '=1+1 Bus 7', 'Subscription until': '11/29/2026', State: 'Expiring', 'Days left': '9' },
    ]);
    await app.owner.query(`update devices set expires_on = '2026-11-20' where id = $1`, [bus.id]);
    expect(named(await summaryOf('subscriptions'))).toMatchObject([{ State: 'Expiring', 'Days left': '0' }]);
    await app.owner.query(`update devices set expires_on = '2026-11-29' where id = $1`, [bus.id]);
  });

  test('RPM-01-partial remote sessions say who, which vehicle, how long and why it ended', async () => {
    await app.owner.query(
      `insert into remote_sessions (organization_id, id, main_account_id, device_id, router_id, type, node, account_id, account_email, login_hash,
         opened_at, ended_at, end_reason)
       values ($1, gen_random_uuid(), $2, $3, $4, 'ssh', 'a', gen_random_uuid(), 'technician@example.com', '', '2026-10-20T10:00:00Z',
         '2026-10-20T10:12:30Z', 'idle')`,
      [own.organizationId, own.mainAccountId, bus.id, bus.routerId],
    );
    expect(named(await summaryOf('remote-sessions'))).toMatchObject([
      {
        'Cloud User': 'technician@example.com',
        Vehicle: '=1+1 Bus 7',
        Minutes: '12.5',
        Access: 'SSH',
        'Why it ended': 'Idle for too long',
      },
    ]);
    expect((await summaryOf('remote-sessions', {}, unrelated)).rows).toEqual([]);
  });

  test('RPM-01-partial why a remote session ended reads the same in its report and in the file of its recording', async () => {
    await app.owner.query(
      `with s as (insert into remote_sessions (organization_id, id, main_account_id, device_id, router_id, type, node, account_id, account_email,
           login_hash, opened_at, ended_at, end_reason)
         select $1, gen_random_uuid(), $2, $3, $4, 'ssh', 'a', gen_random_uuid(), reason, '', '2026-10-21T10:00:00Z', '2026-10-21T10:12:30Z', reason
         from unnest($5::text[]) reason returning *)
       insert into recordings (organization_id, id, device_id, serial, account_id, account_email, began_at, ended_at, end_reason, hash)
       select organization_id, id, device_id, '', account_id, account_email, opened_at, ended_at, end_reason, '' from s`,
      [own.organizationId, own.mainAccountId, bus.id, bus.routerId, remoteAccess.endReasons],
    );
    const day = { from: '2026-10-21', until: '2026-10-21' };
    for (const [language, opener, why, by, end] of [
      ['en-US', 'Cloud User', 'Why it ended', 'User', 'End'],
      ['zh-TW', '雲端使用者', '結束原因', '使用者', '結束原因'],
    ] as const) {
      const report = named(await summaryOf('remote-sessions', { ...day, language }));
      const query = { language, format: 'csv' };
      const { text } = await app.call('GET', '/data_manager/v1/dm/recordings/export', { as: app.person(own, 'admin'), query });
      const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
      const reasons = Object.fromEntries(rows.map((row) => [row[by], row[end]]));
      expect(Object.keys(reasons)).toHaveLength(remoteAccess.endReasons.length);
      expect(Object.fromEntries(report.map((row) => [row[opener]!, row[why]]))).toEqual(reasons);
    }
  });

  test('RPM-01-partial TPL-05 firmware and settings stand next to those that the group is bound to, with what differs at the router', async () => {
    await app.owner.query(
      `with image as (insert into firmware (id, main_account_id, version, profile, file_name, size, sha256)
         select gen_random_uuid(), main_account_id, '3.1.0', 'any', 'image', 1, sha256('x') from devices where id = $2 returning id)
       insert into bindings (id, organization_id, group_key, kind, firmware_id, label, schedule)
       select gen_random_uuid(), $1, d.group_key, 'firmware', i.id, '3.1.0', 'immediate' from devices d, image i where d.id = $2`,
      [own.organizationId, bus.id],
    );
    await app.owner.query(`update devices set firmware = '3.0.9' where id = $1`, [bus.id]);
    await app.owner.query(
      `with level as (insert into router_settings (id, organization_id, device_id, version, content, created_by, created_at)
         select gen_random_uuid(), organization_id, id, 1, '{"Time.NTPServer1": {"value": "x"}}', 'a@x.invalid', now() - interval '1 hour'
         from devices where id = $1)
       insert into router_settings_states (organization_id, device_id, router_id, state, content, checked_at, group_key)
       select organization_id, id, router_id, 'differs', '{"Time.NTPServer1": {"state": "differs", "desired": "x", "since": "2026-10-01T00:00:00Z"}}',
         now(), group_key from devices where id = $1`,
      [bus.id],
    );
    expect(named(await summaryOf('settings'))).toMatchObject([
      {
        Firmware: '3.0.9',
        'Firmware as bound': '3.1.0',
        'Its state': 'Waiting',
        'Config file as bound': '',
        'Router settings': 'Differs',
        'Values that differ': '1',
      },
    ]);
    // What was saved since is not sent yet, and what is not set any more does not differ, as the page of settings says.
    const settings = async () => {
      const [row] = named(await summaryOf('settings'));
      return [row?.['Router settings'], row?.['Values that differ']];
    };
    await app.owner.query("update router_settings set created_at = now() + interval '1 hour' where device_id = $1", [bus.id]);
    expect(await settings()).toEqual(['Not sent yet', '0']);
    await app.owner.query("update router_settings set content = '{}' where device_id = $1", [bus.id]);
    expect(await settings()).toEqual(['Nothing is set', '0']);
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
    const name = (text: string) =>
      app.owner.query('update organizations set name = $2 where id = $1', [own.organizationId, text]);
    await name('=HYPERLINK("x"),2;=3');
    const query = { kind: 'data-use', ...october, format: 'csv', zone: 'America/Chicago', tag: 'a;=1' };
    const whole = await file(user, query);
    await name('Own');
    // Also where the program that opens it separates cells by semicolons.
    for (const delimiter of [',', ';'])
      for (const cell of parse(whole.text, { bom: true, delimiter, relax_column_count: true, relax_quotes: true }).flat())
        expect(cell).toMatch(/^(?![\s"]*[=+\-@])/u);
    const { text, headers } = await file(user, { kind: 'data-use', ...october, format: 'csv', zone: 'America/Chicago' });
    const [title, owner, when, blank, titles, row] = text.replace('\ufeff', '').split('\r\n');
    expect([title, owner, when, blank]).toEqual(['Data use', 'Own', '"10/01/2026 – 10/31/2026, America/Chicago"', '']);
    expect(titles).toMatch(/^Vehicle,Serial number,ICCID/u);
    expect(row).toMatch(/^'=1\+1 Bus 7,/u);
    expect(headers['content-disposition']).toMatch(/Data_use_.*2026-10-01_2026-10-31\.csv/u);
  });

  test('RPM-02-partial the cells of a CSV are separated by what the reader prefers', async () => {
    for (const [separator, between] of [
      ['semicolon', ';'],
      ['tab', '\t'],
    ] as const) {
      const { text } = await file(user, { kind: 'data-use', ...october, format: 'csv', separator, columns: 'total,name' });
      expect(text.split('\r\n').slice(4)).toEqual([`MB${between}Vehicle`, `2500.00${between}'=1+1 Bus 7`, '']);
    }
    expect((await file(user, { kind: 'data-use', ...october, format: 'csv', separator: 'pipe' })).status).toBe(400);
  });

  test('RPM-02-partial PDF and Excel are files of their kind; one row, and none', async () => {
    for (const query of [october, { from: '2026-09-01', until: '2026-09-02' }]) {
      expect((await file(user, { kind: 'data-use', ...query, format: 'pdf', language: 'zh-TW' })).text.slice(0, 5)).toBe('%PDF-');
      expect((await file(user, { kind: 'data-use', ...query, format: 'xlsx' })).text.slice(0, 2)).toBe('PK');
    }
  });

  test('RPM-01-partial a month with a change of the clock has every hour of it, and nothing of the next one', async () => {
    const begins = ['2026-11-01T04:59:59Z', '2026-11-01T05:00:00Z', '2026-12-01T05:59:59Z', '2026-12-01T06:00:00Z'];
    for (const began of begins)
      await app.owner.query(
        `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell)
         values ($1, $2, $3, $4, $4::timestamptz + interval '1 second', 'lost', 'no-answer', '', '', '')`,
        [own.organizationId, bus.id, bus.routerId, began],
      );
    const november = { from: '2026-11-01', until: '2026-11-30', zone: 'America/Chicago' };
    expect(named(await summaryOf('outages', november)).map((row) => row['From'])).toEqual([
      '11/30/2026 23:59:59',
      '11/01/2026 00:00:00',
    ]);
    // The same of the other report about them: no position was known.
    const unplaced = { Rank: '', Place: 'No position known', 'Lost connections': '2', Samples: '' };
    expect(named(await summaryOf('coverage', november)).at(-1)).toMatchObject(unplaced);
    expect(named(await summaryOf('coverage', { ...november, carrier: 'Verizon' }))).toEqual([]);
  });

  test('RPM-01-partial coverage and signal have days of UTC and say so, and since when they are kept, the outages without a place too', async () => {
    const zone = 'America/Chicago';
    for (const as of [user, mainPerson])
      for (const kind of ['coverage', 'signal'] as const)
        expect((await summaryOf(kind, { zone }, as)).lines.slice(1), kind).toEqual([
          '10/21/2026 – 10/31/2026, UTC',
          'Coverage is kept since 10/21/2026 (UTC); earlier time is not counted',
        ]);
    // In Chicago, the first of them is of the day before.
    const december = { from: '2026-12-01', until: '2026-12-01', zone };
    expect(named(await summaryOf('coverage', december))).toMatchObject([{ Place: 'No position known', 'Lost connections': '2' }]);
  });

  test('RPM-01-partial of an outage without a place as many minutes count as of one with a place', async () => {
    await app.owner.query(
      `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell)
       values ($1, $2, $3, '2026-12-10T01:00:00Z', '2026-12-10T06:00:00Z', 'lost', 'no-answer', '', '', ''),
         ($1, $2, $3, '2026-12-10T08:00:00Z', '2026-12-10T08:30:00Z', 'lost', 'no-answer', '', '', '')`,
      [own.organizationId, bus.id, bus.routerId],
    );
    const day = { from: '2026-12-10', until: '2026-12-10' };
    const [row] = named(await summaryOf('coverage', day));
    expect(row).toMatchObject({ Place: 'No position known', 'Lost connections': '2', 'Minutes lost': '150.0' });
  });

  test('RPM-01-partial a vehicle that was renamed, replaced or deleted in the middle keeps what it used', async () => {
    const gone = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 8' } });
    await app.owner.query(
      `insert into usage_days (organization_id, day, iccid, device_id, sent, received) values ($1, '2026-10-15', '8901260000001111111', $2, 0, 4000000)`,
      [own.organizationId, gone.id],
    );
    await app.owner.query(
      `update router_ownership set owned_from = '2026-09-01', owned_until = '2026-10-20' where router_id = $1`,
      [gone.routerId],
    );
    await app.owner.query(`update devices set vehicle_number = 'Bus 8 (sold)', archived_at = '2026-10-20' where id = $1`, [
      gone.id,
    ]);
    const rowOf = async () => named(await summaryOf('data-use')).find(({ ICCID }) => ICCID === '8901260000001111111');
    expect(await rowOf()).toMatchObject({ Vehicle: 'Bus 8 (sold)', 'Serial number': gone.serial, MB: '4.00', Cost: '' });
  });

  test('RPM-01-partial of a vehicle that is transferred in the middle each organization has its own days, and the main account both', async () => {
    const other = await app.seeding.organization({ kind: 'main', mainAccountId: own.mainAccountId }, 'Buyer');
    const buyer = app.person(other, 'user');
    const router = fresh();
    const before = await addDevice(app, own, router, { columns: { vehicle_number: 'Bus 9' } });
    await app.owner.query(`update devices set archived_at = '2026-10-16' where id = $1`, [before.id]);
    const { rows } = await app.owner.query<{ id: string }>(
      `insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key, vehicle_number)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, 'Bus 9') returning id`,
      [other.organizationId, own.mainAccountId, before.routerId, router.serial, router.mac, DEFAULT_GROUP_KEY],
    );
    const after = rows[0]!.id;
    await app.owner.query(
      `update router_ownership set owned_from = '2026-09-01', owned_until = '2026-10-16' where router_id = $1`,
      [before.routerId],
    );
    await app.owner.query(
      `insert into router_ownership (router_id, owned_from, organization_id, device_id) values ($1, '2026-10-16', $2, $3)`,
      [before.routerId, other.organizationId, after],
    );
    for (const [organization, day, device, bytes] of [
      [own.organizationId, '2026-10-15', before.id, 1_000_000],
      [other.organizationId, '2026-10-16', after, 2_000_000],
    ] as const)
      await app.owner.query(
        `insert into usage_days (organization_id, day, iccid, device_id, sent, received) values ($1, $2, '8901260000002222222', $3, 0, $4)`,
        [organization, day, device, bytes],
      );
    const ofIt = async (as: Actor) =>
      named(await summaryOf('data-use', {}, as))
        .filter(({ ICCID }) => ICCID === '8901260000002222222')
        .map((row) => [row['Organization'], row['Serial number'], row['MB']]);
    expect(await ofIt(user)).toEqual([[undefined, router.serial, '1.00']]);
    expect(await ofIt(buyer)).toEqual([[undefined, router.serial, '2.00']]);
    expect(await ofIt(mainPerson)).toEqual([
      ['Buyer', router.serial, '2.00'],
      ['Own', router.serial, '1.00'],
    ]);
  });

  test('RPM-02-partial names with markup, formulas, text from right to left and emoji stand in every file as text', async () => {
    const names = ['<b>&amp;"\'', '=HYPERLINK("http://evil.test")', 'حافلة \u202e7', '🚌👩‍🔧 12', '公車', '\t@SUM(A1)'];
    for (const name of names) await addDevice(app, own, fresh(), { columns: { vehicle_number: name } });
    const { text } = await file(user, { kind: 'inventory', format: 'csv' });
    expect(text).toContain(`"'=HYPERLINK(""http://evil.test"")"`);
    expect(text).toContain('公車');
    for (const format of ['pdf', 'xlsx'])
      for (const language of ['en-US', 'zh-TW'])
        expect((await file(user, { kind: 'inventory', format, language })).status, format).toBe(200);
  });

  test('RPM-01-partial a group of others, an unknown kind, an unknown zone and a period that is too long are plain errors', async () => {
    expect((await preview(user, { kind: 'inventory', group: 'no-such-group' })).status).toBe(404);
    expect((await preview(user, { kind: 'weather' })).status).toBe(400);
    expect((await preview(user, { kind: 'alerts', zone: 'Nowhere/City' })).status).toBe(400);
    expect((await preview(user, { kind: 'alerts', from: '2026-01-01', until: '2026-11-01' })).status).toBe(400);
  });
});
