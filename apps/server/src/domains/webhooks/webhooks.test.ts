import type { webhooks } from '@highline/contract';
import { webhooks as contract } from '@highline/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/index.ts';
import { send, until } from '../../testing/call.ts';
import { openEventStream } from '../../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startCallReceiver, type CallReceiver } from '../../testing/call-receiver.ts';
import { deliverEvents, purgeDeliveries } from './index.ts';

const WEBHOOKS = '/data_manager/v1/dm/webhooks';
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Time goes on, and can be put forward. */
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
let server: TestServer;
let receiver: CallReceiver;
let home: MainScope;
let own: OrganizationScope;
let admin: string;
let main: string;
let adminId: string;
let number = 0;

/** Sessions end as time is put forward. */
async function signIn(): Promise<string> {
  const bearer = await server.seeding.bearer(adminId);
  await server.owner.query('update sessions set last_used_at = $1 where account_id = $2', [clock.now(), adminId]);
  return bearer;
}

beforeAll(async () => {
  server = await startTestServer({
    clock,
    environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' },
    webhooks: { timeoutMs: 1_500 },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  number += 1;
  ahead = 0;
  receiver = await startCallReceiver();
  const { scope, actor } = await server.seeding.mainAccount('Home');
  home = scope;
  main = await server.seeding.bearer(actor.accountId);
  own = await server.seeding.organization(home, `Own ${number}`);
  adminId = await server.seeding.account(own, `hooks-${number}@highline.invalid`, 'admin');
  admin = await signIn();
});
afterEach(() => receiver.close());

interface Created {
  readonly result: webhooks.Webhook;
  readonly secret: string;
}

const call = (path: string, bearer: string, body?: unknown, method?: string) =>
  send(`${server.url}${WEBHOOKS}${path}`, {
    bearer,
    ...(body !== undefined && { body }),
    ...(method !== undefined && { method }),
  });
const input = (more: object = {}) => ({ name: 'Fleet bot', url: receiver.url, events: ['device.added', 'log.entry'], ...more });
async function create(more: object = {}, bearer = admin): Promise<Created> {
  const response = await call('', bearer, input(more));
  expect(response.status, response.text).toBe(200);
  return response.json<Created>();
}
const read = async <T>(path: string): Promise<T> => {
  const response = await call(path, admin);
  expect(response.status, response.text).toBe(200);
  return response.json<T>();
};
const logOf = async (id: string, query = '') =>
  read<{ result: webhooks.WebhookDelivery[]; next: string | null }>(`/${id}/deliveries?limit=50${query}`);
const delivered = (id: string) =>
  until(async () => {
    const { result } = await logOf(id);
    return result.length > 0 && result.every(({ state }) => state === 'delivered') ? result : undefined;
  });
const raise = (events: Parameters<typeof deliverEvents>[2], named?: string[], scope: OrganizationScope | MainScope = own) =>
  server.database.write((tx) => deliverEvents(tx, scope, events, named));
const alertOf = (rule: string, deviceId?: string) => ({
  type: 'alert.fired' as const,
  data: { alert: rule, rule, severity: 'critical', summary: `${rule} fired.`, by: null },
  happenedAt: clock.now(),
  ...(deviceId !== undefined && { deviceId }),
});
const devicesOf = async (count: number, scope = own) => {
  const mark = `${number}${Math.random().toString(36).slice(2, 7)}`.toUpperCase();
  const rows = Array.from({ length: count }, (_, index) => ({
    serial: `SN${mark}${index}`,
    mac: Buffer.from(`${mark}${index}`.padStart(6, '0').slice(-6)).toString('hex').toUpperCase(),
  }));
  await server.seeding.routers(home, rows);
  return server.seeding.devices(scope, rows);
};

describe('HKS-01 webhooks', () => {
  test('HKS-01-partial an event is sent once, signed as Standard Webhooks has it, and the log shows body and answer', async () => {
    receiver.respond((response) => response.writeHead(200).end('thanks'));
    const { result, secret } = await create();
    expect(result).toMatchObject({ state: 'active', groups: null, tags: null, org: own.organizationId });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/u);
    const { rows } = await server.owner.query('select e::text as row from webhook_endpoints e where id = $1', [result.id]);
    expect(rows[0].row).not.toContain(secret.slice(6));
    const [device] = await devicesOf(1);
    const [first] = await until(
      async () => receiver.calls.find(({ body }) => JSON.parse(body).type === 'device.added') && receiver.calls,
    );
    for (const { body, headers } of receiver.calls)
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ data: { organization: own.organizationId } });
    expect(() => new Webhook(secret).verify(`${first!.body} `, first!.headers)).toThrow('signature');
    const added = receiver.calls.find(({ body }) => JSON.parse(body).type === 'device.added')!;
    const { type, data } = JSON.parse(added.body);
    expect(contract.webhookEvents['device.added'].data.parse(data).device.id).toBe(device);
    const log = await delivered(result.id);
    const entry = log.find((each) => each.type === type)!;
    expect(entry).toMatchObject({ attempts: 1, status: 200, error: '', next: null, device: data.device.serial });
    const { result: detail } = (await call(`/${result.id}/deliveries/${entry.id}`, admin)).json<{
      result: webhooks.WebhookDeliveryDetail;
    }>();
    expect(detail).toMatchObject({
      body: added.body,
      messageId: added.headers['webhook-id'],
      tries: [{ status: 200, answer: 'thanks' }],
    });
    expect(JSON.stringify((await call('?limit=5', admin)).json())).not.toContain(secret.slice(6));
  });

  test('HKS-01-partial events reach the endpoints of their organization and of its main account, by type, group and tag', async () => {
    const sibling = await server.seeding.organization(home, `Sibling ${number}`);
    const siblingAdmin = await server.seeding.bearer(
      await server.seeding.account(sibling, `sibling-${number}@highline.invalid`, 'admin'),
    );
    const group = await server.seeding.group(own, 'North');
    const ids = {
      all: (await create({ events: ['alert.fired'] })).result.id,
      other: (await create({ events: ['alert.resolved'] })).result.id,
      inGroup: (await create({ events: ['alert.fired'], groups: [group] })).result.id,
      tagged: (await create({ events: ['alert.fired'], tags: ['night'] })).result.id,
      off: (await create({ events: ['alert.fired'], enabled: false })).result.id,
      sibling: (await create({ events: ['alert.fired'] }, siblingAdmin)).result.id,
      main: (await create({ events: ['alert.fired'] }, main)).result.id,
    };
    const [loose, member, tagged] = await devicesOf(3);
    await server.owner.query('update devices set group_key = $1 where id = $2', [group, member]);
    await server.owner.query(`update devices set tags = '{day,night}' where id = $1`, [tagged]);
    await raise([alertOf('loose', loose), alertOf('member', member), alertOf('tagged', tagged), alertOf('none')]);
    await raise([alertOf('of the sibling')], [], sibling);
    // A channel of a rule gets it whatever it is subscribed to; one of another owner does not.
    await raise([alertOf('named', loose)], [ids.other, ids.sibling, ids.off]);
    const rules = async (id: string) => {
      const { rows } = await server.owner.query<{ rule: string }>(
        `select data ->> 'rule' as rule from webhook_deliveries where endpoint_id = $1 order by position`,
        [id],
      );
      return rows.map(({ rule }) => rule);
    };
    const everything = ['loose', 'member', 'tagged', 'none'];
    expect(await rules(ids.all)).toEqual([...everything, 'named']);
    expect(await rules(ids.inGroup)).toEqual(['member']);
    expect(await rules(ids.tagged)).toEqual(['tagged']);
    expect(await rules(ids.other)).toEqual(['named']);
    expect(await rules(ids.off)).toEqual([]);
    expect(await rules(ids.sibling)).toEqual(['of the sibling']);
    expect(await rules(ids.main)).toEqual([...everything, 'of the sibling', 'named']);
  });

  test('HKS-01-partial a failure is tried again after 5 s, 5 min, 30 min and so on with the same webhook-id, ten times in all', async () => {
    receiver.respond((response) => response.writeHead(500).end('broken'));
    const { result } = await create({ events: ['alert.fired'] });
    await raise([alertOf('Offline')]);
    const waits = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
    for (const [index, wait] of waits.entries()) {
      const entry = await until(async () => {
        const [only] = (await logOf(result.id)).result;
        const { result: detail } = (await call(`/${result.id}/deliveries/${only!.id}`, admin)).json<{
          result: webhooks.WebhookDeliveryDetail;
        }>();
        return detail.tries.length === index + 1 && detail;
      });
      const left = Date.parse(entry.next!) - clock.now().getTime();
      expect(left).toBeGreaterThan(wait - 4_500);
      expect(left).toBeLessThanOrEqual(wait * 1.2);
      ahead += left + 1;
      admin = await signIn();
    }
    const over = await until(async () => (await logOf(result.id)).result.find(({ state }) => state === 'failed'));
    expect(over).toMatchObject({ attempts: 10, status: 500, next: null, error: 'It answered with status 500.' });
    expect(receiver.calls).toHaveLength(10);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const stamps = receiver.calls.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(stamps.at(-1)! - stamps[0]!).toBeGreaterThan(75 * 3_600);
    // By hand, the same event again.
    receiver.respond((response) => response.writeHead(204).end());
    expect((await call(`/${result.id}/deliveries/${over.id}/resend`, admin, {})).status).toBe(200);
    await delivered(result.id);
    expect(receiver.calls).toHaveLength(11);
    const last = receiver.calls.at(-1)!;
    expect(last.headers['webhook-id']).toBe(receiver.calls[0]!.headers['webhook-id']);
    expect(last.body).toBe(receiver.calls[0]!.body);
    expect((await logOf(result.id)).result[0]!.attempts).toBe(11);
  });

  test('HKS-01-partial events of one device wait for each other, and those of others do not', async () => {
    const [slow, quick] = await devicesOf(2);
    const { result } = await create({ events: ['alert.fired'] });
    let isBroken = true;
    receiver.respond((response, { body }) => response.writeHead(isBroken && body.includes('first of slow') ? 503 : 204).end());
    await raise([
      alertOf('first of slow', slow),
      alertOf('second of slow', slow),
      alertOf('first of quick', quick),
      alertOf('third of slow', slow),
      alertOf('second of quick', quick),
    ]);
    const order = () => receiver.calls.map(({ body }) => JSON.parse(body).data.rule as string);
    await until(() => order().includes('second of quick'));
    await until(async () => (await logOf(result.id)).result.some(({ error }) => error !== ''));
    expect(order().filter((rule) => rule.includes('slow'))).toEqual(['first of slow']);
    expect(order().filter((rule) => rule.includes('quick'))).toEqual(['first of quick', 'second of quick']);
    isBroken = false;
    ahead += 7_000;
    await until(() => order().includes('third of slow'));
    expect(order().filter((rule) => rule.includes('slow'))).toEqual([
      'first of slow',
      'first of slow',
      'second of slow',
      'third of slow',
    ]);
    await delivered(result.id);
  });

  test('HKS-01-partial after five days of failures it is suspended with a mail; events wait and are sent when it is resumed', async () => {
    receiver.respond((response) => response.writeHead(500).end());
    const { result } = await create({ events: ['alert.fired'] });
    await raise([alertOf('early')]);
    await until(async () => (await logOf(result.id)).result[0]?.error !== '' || undefined);
    const state = async () => (await read<{ result: webhooks.Webhook[] }>('?limit=5')).result[0]!;
    expect(await state()).toMatchObject({ state: 'failing', suspendedAt: null });
    ahead = 5 * DAY + MINUTE;
    admin = await signIn();
    await until(async () => (await state()).state === 'suspended');
    expect(await state()).toMatchObject({ suspendedBy: null });
    const [mail] = await until(async () => {
      const mails = await server.mailsTo(`hooks-${number}@highline.invalid`);
      return mails.length > 0 ? mails : undefined;
    });
    expect(mail).toMatchObject({ subject: 'Webhook Fleet bot was suspended' });
    expect(mail!.plain).toContain('/webhooks');
    const { rows } = await server.owner.query(
      `select action from audit_entries where chain_id = $1 and subject_kind = 'webhook' and actor_role = 'system'`,
      [own.organizationId],
    );
    expect(rows).toEqual([{ action: 'Suspended webhook Fleet bot: every call has failed for 5 days' }]);
    receiver.respond((response) => response.writeHead(204).end());
    const before = receiver.calls.length;
    await raise([alertOf('late')]);
    ahead += DAY;
    admin = await signIn();
    // A test is sent at once all the same.
    const tested = (await call(`/${result.id}/test`, admin, {})).json<{ result: webhooks.WebhookDeliveryDetail }>().result;
    expect(tested).toMatchObject({ state: 'delivered', type: 'webhook.test', tries: [{ status: 204 }] });
    expect(receiver.calls).toHaveLength(before + 1);
    expect((await logOf(result.id, '&state=waiting')).result).toHaveLength(2);
    expect((await call(`/${result.id}/resume`, admin, {})).status).toBe(200);
    await delivered(result.id);
    expect(await state()).toMatchObject({ state: 'active', failingSince: null });
    expect((await call(`/${result.id}/resume`, admin, {})).error().key).toBe('webhook.not_suspended');
    expect((await call(`/${result.id}/suspend`, admin, {})).json<{ result: webhooks.Webhook }>().result.suspendedBy).toBe(
      `hooks-${number}@highline.invalid`,
    );
  });

  test('HKS-01-partial a rotated secret signs together with the former one until its hours are over', async () => {
    const { result, secret } = await create({ events: ['alert.fired'] });
    const rotated = (await call(`/${result.id}/rotate`, admin, { overlapHours: 1 })).json<Created>();
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.result.previousUntil).not.toBeNull();
    await raise([alertOf('both')]);
    await until(() => receiver.calls.length === 1);
    const [both] = receiver.calls;
    expect(both!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const each of [secret, rotated.secret]) new Webhook(each).verify(both!.body, both!.headers);
    ahead = HOUR + 1;
    await raise([alertOf('one')]);
    await until(() => receiver.calls.length === 2);
    const { headers } = receiver.calls[1]!;
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(1);
    expect((await read<{ result: webhooks.Webhook[] }>('?limit=5')).result[0]!.previousUntil).toBeNull();
  });

  test('HKS-01-partial Slack gets text and blocks, Microsoft Teams an adaptive card, and names cannot mention a channel', async () => {
    await create({ events: ['alert.fired'], format: 'slack' });
    await create({ events: ['alert.fired'], format: 'teams' });
    await raise([
      { ...alertOf('<!channel> [x](http://evil)'), data: { ...alertOf('x').data, summary: '<!channel> *all* [x](http://evil)' } },
    ]);
    await until(() => receiver.calls.length === 2);
    const bodies = receiver.calls.map(({ body }) => JSON.parse(body));
    const slack = bodies.find((body) => 'blocks' in body);
    expect(slack.text).toBe('&lt;!channel&gt; *all* [x](http://evil)');
    expect(slack.blocks[0]).toEqual({ type: 'section', text: { type: 'mrkdwn', text: `*${slack.text}*` } });
    const card = bodies.find((body) => body.type === 'message').attachments[0];
    expect(card.contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(card.content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(card.content.body[0].text).toBe(String.raw`\<!channel\> \*all\* \[x\](http://evil)`);
  });

  test('HKS-01-partial SAY-05-partial the key of a receiver goes to no other origin than that for which it was typed', async () => {
    const elsewhere = await startCallReceiver();
    const keyed = { events: ['alert.fired'], key: 'first-key' };
    const save = async ({ result: { id } }: Created, more: object) => {
      const { key: _key, ...rest } = { ...keyed, ...more } as { key?: string };
      const { version } = (await read<{ result: webhooks.Webhook }>(`/${id}`)).result;
      return send(`${server.url}${WEBHOOKS}/${id}`, {
        bearer: admin,
        method: 'PUT',
        headers: { 'if-match': `"${version}"` },
        body: input({ ...rest, ...('key' in more && { key: more.key }) }),
      });
    };
    const keySent = async ({ result: { id } }: Created, to: CallReceiver) => {
      await call(`/${id}/test`, admin, {});
      const { headers, body } = to.calls.at(-1)!;
      return [headers['authorization'] ?? '', JSON.parse(body).routing_key ?? ''].join('');
    };
    try {
      for (const [format, sent] of [
        ['pagerduty', 'first-key'],
        ['opsgenie', 'GenieKey first-key'],
        ['ntfy', 'Bearer first-key'],
      ] as const) {
        const created = await create({ ...keyed, format, url: `${receiver.url}/one` });
        expect((await save(created, { format, url: `${receiver.url}/two` })).status, format).toBe(200);
        expect(await keySent(created, receiver)).toBe(sent);
        const moved = { format, url: `${elsewhere.url}/one` };
        const response = await save(created, moved);
        // A topic of ntfy may need no key.
        expect(response.status, format).toBe(format === 'ntfy' ? 200 : 400);
        if (format === 'ntfy') expect(await keySent(created, elsewhere)).toBe('');
        else expect([response.error().key, response.error().field]).toEqual(['webhook.key_missing', 'key']);
        expect((await save(created, { ...moved, key: 'second-key' })).status).toBe(200);
        expect(await keySent(created, elsewhere)).toBe(sent.replace('first', 'second'));
      }
    } finally {
      await elsewhere.close();
    }
  });

  test('HKS-01-partial fields are validated with a sentence, saves know of each other, and a deleted webhook gets nothing', async () => {
    const rejected = async (more: object) => {
      const { status, error } = await call('', admin, input(more));
      return [status, error().key, error().field];
    };
    expect(await rejected({ url: 'nothing' })).toEqual([400, 'webhook.url_invalid', 'url']);
    expect(await rejected({ url: 'http://10.0.0.1/x' })).toEqual([400, 'webhook.url_invalid', 'url']);
    for (const end of ['', '100%', '%E0%A4%A'])
      expect(await rejected({ url: `https://ntfy.sh/${end}`, format: 'ntfy', events: ['alert.fired'] }), end).toEqual([
        400,
        'webhook.url_invalid',
        'url',
      ]);
    expect(await rejected({ events: ['device.exploded'] })).toEqual([400, 'request.invalid', 'events.0']);
    expect(await rejected({ events: ['webhook.test'] })).toEqual([400, 'request.invalid', 'events.0']);
    expect((await call('', main, input({ groups: ['x'] }))).error().key).toBe('webhook.groups_of_main');
    const { result } = await create({ events: ['alert.fired'] });
    const save = (version: string, name: string) =>
      send(`${server.url}${WEBHOOKS}/${result.id}`, {
        bearer: admin,
        method: 'PUT',
        headers: { 'if-match': `"${version}"` },
        body: input({ name, events: ['alert.fired'] }),
      });
    expect((await save(result.version, 'Renamed')).json<Created>().result.name).toBe('Renamed');
    const stale = await save(result.version, 'Again');
    expect([stale.status, (stale.error().detail as webhooks.Webhook).name]).toEqual([412, 'Renamed']);
    expect((await call(`/${result.id}`, admin, {}, 'DELETE')).status).toBe(200);
    await raise([alertOf('too late')]);
    expect((await call(`/${result.id}/deliveries?limit=5`, admin)).status).toBe(404);
    for (let count = 0; count < contract.MOST_WEBHOOKS; count += 1) await create({ name: `Number ${count}`, enabled: false });
    expect((await call('', admin, input())).error().key).toBe('webhook.too_many');
    expect((await call('/events', admin)).json<{ result: { type: string }[] }>().result).toHaveLength(
      Object.keys(contract.webhookEvents).length,
    );
    expect(receiver.calls).toEqual([]);
  });

  test('HKS-01-partial the log has pages by key, consoles are notified, and retention deletes it', async () => {
    const { result } = await create({ events: ['alert.fired'] });
    const stream = await openEventStream(server.url, admin);
    await raise(Array.from({ length: 7 }, (_, index) => alertOf(`${index}`)));
    await until(() => stream.received.some(({ event, data }) => event === 'webhooks' && data.ids.includes(result.id)));
    stream.close();
    await until(() => receiver.calls.length === 7);
    await delivered(result.id);
    const page = (query: string) =>
      call(`/${result.id}/deliveries?limit=3${query}`, admin).then((response) =>
        response.json<{ result: webhooks.WebhookDelivery[]; next: string | null; total: number }>(),
      );
    const first = await page('');
    const second = await page(`&cursor=${encodeURIComponent(first.next!)}`);
    expect([first.total, first.result.length, second.result.length]).toEqual([7, 3, 3]);
    expect(new Set([...first.result, ...second.result].map(({ id }) => id)).size).toBe(6);
    expect((await page('&state=failed')).total).toBe(0);
    await purgeDeliveries(server.database, new Date(Date.now() - DAY));
    expect((await page('')).total).toBe(7);
    // Events of an endpoint that is no more.
    await server.owner.query(
      'update webhook_deliveries set endpoint_id = gen_random_uuid() where id in (select id from webhook_deliveries where endpoint_id = $1 limit 2)',
      [result.id],
    );
    await purgeDeliveries(server.database, new Date(Date.now() - DAY));
    const { rows } = await server.owner.query(
      'select 1 from webhook_deliveries d where not exists (select from webhook_endpoints e where e.id = d.endpoint_id)',
    );
    expect([rows.length, (await page('')).total]).toEqual([0, 5]);
    await purgeDeliveries(server.database, new Date(Date.now() + DAY));
    expect((await page('')).total).toBe(0);
  });
});
