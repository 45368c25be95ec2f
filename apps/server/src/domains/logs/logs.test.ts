import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { recordAudit, sentence, type AuditAction } from './index.ts';

const LOG = '/data_manager/v1/operation_log';

const app = useTestApp('2026-10-01T12:00:00Z');
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;

/** Friday, 20 November 2026, noon in UTC; in New York it is seven in the morning. */
const NOW = '2026-11-20T12:00:00Z';

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  sibling = await app.seeding.organization(main, 'Sibling');
  user = app.person(own, 'user');
  await write(own, '2026-10-31T23:59:59Z', 'Changed the vehicle of device HL-1', 'dana@highline.invalid', '192.0.2.7');
  await write(own, '2026-11-01T00:00:00Z', 'Deleted group "Depot 100%_x"', 'kim@highline.invalid', '2001:db8::7');
  await write(own, '2026-11-15T04:59:59Z', 'Changed notes of device HL-2', 'dana@highline.invalid', '192.0.2.7');
  await write(own, '2026-11-15T05:00:00Z', '=cmd|calc', 'dana@highline.invalid', '192.0.2.8');
  await write(own, '2026-11-20T04:59:59Z', `Changed ${'x'.repeat(200)}`, 'kim@highline.invalid', '192.0.2.7');
  await write(own, '2026-11-20T05:00:00Z', 'Signed in', 'kim@highline.invalid', '192.0.2.7');
  await write(sibling, '2026-11-20T05:00:00Z', 'Theirs', 'theirs@highline.invalid', '192.0.2.9');
  app.clock.set(NOW);
});

function write(scope: OrganizationScope, at: string, action: string, email: string, address: string): Promise<void> {
  const event = { action, subject: { kind: 'device', id: 'x' }, detail: { action } };
  return app.database.write((tx) =>
    recordAudit(tx, scope.organizationId, { accountId: null, email, role: 'admin', address }, event, new Date(at)),
  );
}

const list = (query: Record<string, string | number> = {}, as = user) => app.call('GET', LOG, { as, query });
/** Entries in the order above; the organization's creation, before all of them, is left out. */
const numbers = (response: { json: { result: { seq: number }[] } }) =>
  response.json.result.filter(({ seq }) => seq > 1).map(({ seq }) => seq - 1);

describe('LOG-01-partial the log of an organization', () => {
  test('is read newest first, in pages, with seconds and every stored field', async () => {
    const first = await list({ limit: 4 });
    expect(numbers(first)).toEqual([6, 5, 4, 3]);
    expect(first.json.total).toBe(7);
    expect(first.json.result[0]).toEqual({
      about: { kind: 'device', id: 'x' },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/u),
      key: null,
      timestamp: Date.parse('2026-11-20T05:00:00Z') / 1_000,
      email: 'kim@highline.invalid',
      ip: '192.0.2.7',
      subject: 'Signed in',
      sentence: null,
      detail: { action: 'Signed in' },
      role: 'admin',
      seq: 7,
      with: [],
    });
    const second = await list({ limit: 4, cursor: first.json.next });
    expect([numbers(second), second.json.next]).toEqual([[2, 1], null]);
    expect(numbers(await list({ limit: 4, cursor: second.json.previous }))).toEqual([6, 5, 4, 3]);
    expect(numbers(await list({ limit: 2, offset: 4 }))).toEqual([2, 1]);
    expect(numbers(await list({ sort: 'time', limit: 3 }))).toEqual([1, 2]);
    expect(numbers(await list())).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test('LIV-01-partial an entry is announced to those who read its log, whatever it is about', async () => {
    const { scope } = await app.seeding.mainAccount('Announced');
    const below = await app.seeding.organization(scope, 'Below');
    await app.owner.query('delete from outbox');
    const event = { action: 'Pinged', subject: { kind: 'device', id: 'x' }, detail: {} };
    const actor = { accountId: null, email: 'dana@highline.invalid', role: 'admin', address: '' };
    for (const chainId of [below.organizationId, scope.mainAccountId])
      await app.database.write((tx) => recordAudit(tx, chainId, actor, event));
    const { rows } = await app.owner.query('select main_account_id, organization_id, topic from outbox order by xid');
    const row = { main_account_id: scope.mainAccountId, topic: 'logs' };
    expect(rows).toEqual([
      { ...row, organization_id: below.organizationId },
      { ...row, organization_id: null },
    ]);
  });

  test.each([
    [{ search: 'kim@' }, [6, 5, 2]],
    [{ search: 'Kim@' }, []],
    [{ search: '192.0.2.8' }, [4]],
    [{ search: '100%_' }, [2]],
    [{ search: 'HL-' }, [3, 1]],
    [{ search: 'HL-', field: 'email' }, []],
    [{ search: 'dana', field: 'email' }, [4, 3, 1]],
    [{ search: '::7', field: 'ip' }, [2]],
    [{ search: 'n', field: 'action' }, [6, 5, 3, 1]],
  ])('is searched by actor, address and action: %j', async (query, expected) => {
    expect(numbers(await list({ ...query, limit: 10 }))).toEqual(expected);
    expect(numbers(await list(query))).toEqual(expected);
  });

  test.each([
    [{ span: 'today' }, [6, 5]],
    [{ span: 'today', zone: 'America/New_York' }, [6]],
    [{ span: 'yesterday' }, []],
    [{ span: 'yesterday', zone: 'America/New_York' }, [5]],
    [{ person: 'kim@highline.invalid' }, [6, 5, 2]],
    [{ person: 'kim@' }, []],
    [{ person: 'kim@highline.invalid', search: 'Signed' }, [6]],
    [{ kind: 'device' }, [6, 5, 4, 3, 2, 1]],
    [{ kind: 'group' }, []],
    [{ span: 'week' }, [6, 5, 4, 3]],
    [{ span: 'week', zone: 'America/New_York' }, [6, 5, 4]],
    [{ span: 'month' }, [6, 5, 4, 3, 2]],
    [{ span: 'custom', from: '10/31/2026', until: '11/01/2026' }, [2, 1]],
    [{ span: 'custom', from: '11/15/2026' }, [6, 5, 4, 3]],
    [{ span: 'custom', until: '10/31/2026', zone: 'America/New_York' }, [2, 1]],
    [{ span: 'custom' }, [6, 5, 4, 3, 2, 1]],
  ])("is filtered by days of the reader's zone: %j", async (query, expected) => {
    expect(numbers(await list({ ...query, limit: 10 }))).toEqual(expected);
  });

  test.each([
    { span: 'custom', from: '02/30/2026' },
    { span: 'custom', from: '11/10/2026', until: '11/09/2026' },
    { span: 'custom', until: '11/21/2026' },
    { span: 'year' },
    { span: 'today', zone: 'Mars/Olympus' },
    { field: 'detail', search: 'x' },
    { sort: 'email' },
    { limit: 5, cursor: 'x' },
    { search: 'a\0b' },
  ])('rejects invalid queries: %j', async (query) => {
    expect((await list(query)).status).toBe(400);
  });

  test("is a CSV without formulas, in the reader's zone and language", async () => {
    const { text, headers } = await app.call('GET', `${LOG}/export`, {
      as: user,
      query: { zone: 'America/New_York', search: 'cmd', language: 'zh-TW' },
    });
    expect(headers['content-disposition']).toContain('Logs_export');
    expect(text).toBe(
      "\uFEFF#,日期／時間,雲端使用者,IP 位址,動作\r\n5,11/15/2026 00:00:00,dana@highline.invalid,192.0.2.8,'=cmd|calc\r\n",
    );
  });

  test('BLK-01-partial its file has the entries that are named by their positions, and no others', async () => {
    const numbers = async (only: string) => {
      const { text } = await app.call('GET', `${LOG}/export`, { as: user, query: { only, columns: 'number', sort: 'time' } });
      return text.trimEnd().split('\r\n').slice(1);
    };
    expect(await numbers('3,1')).toEqual(['1', '3']);
    expect(await numbers('2,x,99999')).toEqual(['2']);
    expect(await numbers('')).toEqual([]);
  });

  test("is separate: no member reads a sibling organization's, the main account reads each of its organizations and its own", async () => {
    expect((await list({ org: sibling.organizationId })).status).toBe(404);
    const boss = app.person(main, 'main');
    const theirs = await list({ org: sibling.organizationId }, boss);
    expect(theirs.json.result[0].subject).toBe('Theirs');
    expect((await list({}, boss)).text).not.toContain('Theirs');
  });
});

test('LOG-01-partial those who are in a log are offered once each, and only those of the own log', async () => {
  const people = async (as: Actor, query: Record<string, string> = {}) =>
    (await app.call('GET', `${LOG}/people`, { as, query })).json.result;
  const mine = await people(user);
  expect(mine).toEqual([...new Set<string>(mine)].toSorted((a, b) => (a < b ? -1 : 1)));
  expect(mine).toEqual(expect.arrayContaining(['dana@highline.invalid', 'kim@highline.invalid']));
  expect(mine).not.toContain('theirs@highline.invalid');
  expect(await people(app.person(main, 'main'), { org: sibling.organizationId })).toContain('theirs@highline.invalid');
  expect((await app.call('GET', `${LOG}/people`, { as: user, query: { org: sibling.organizationId } })).status).toBe(404);
  expect((await list({ kind: 'moon' })).status).toBe(400);
});

test('LOG-01-partial an entry has key and parameters, its file reads in the language of the person, and older entries keep their text', async () => {
  const organization = await app.seeding.organization(main, 'Languages');
  const record = (action: AuditAction) =>
    app.database.write((tx) =>
      recordAudit(
        tx,
        organization.organizationId,
        { accountId: null, email: 'dana@highline.invalid', role: 'admin', address: '192.0.2.7' },
        { action, subject: { kind: 'device', id: 'x' }, detail: {} },
        new Date('2026-11-20T13:00:00Z'),
      ),
    );
  await record('Changed in an earlier version');
  await record(sentence('device.changed', { terms: ['vehicle number', 'tags'] }, 'HL-1\u0000\u202e=x'));
  await record(sentence('devices.moved', sentence('part.devices', 12), '北站'));
  const as = app.person(organization, 'user');
  const { json } = await app.call('GET', LOG, { as, query: { limit: 3 } });
  const entries = json.result as { subject: string; sentence: unknown }[];
  expect(entries.map((entry) => [entry.subject, entry.sentence])).toEqual([
    ['Moved 12 devices to group 北站', { key: 'devices.moved', params: [{ key: 'part.devices', params: [12] }, '北站'] }],
    [
      'Changed vehicle number, tags of device HL-1 =x',
      { key: 'device.changed', params: [{ terms: ['vehicle number', 'tags'] }, 'HL-1 =x'] },
    ],
    ['Changed in an earlier version', null],
  ]);
  const file = await app.call('GET', `${LOG}/export`, { as, query: { language: 'zh-TW', columns: 'action' } });
  expect(file.text.split('\r\n').slice(0, 4)).toEqual([
    '\ufeff動作',
    '已將 12 台裝置移到群組 北站',
    '已變更裝置 HL-1 =x 的車輛編號、標籤',
    'Changed in an earlier version',
  ]);
});
