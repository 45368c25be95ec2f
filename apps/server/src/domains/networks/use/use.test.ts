import { strFromU8, unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { networks } from '@highline/contract';
import { startStrictAgent, type RunningStrictAgent } from '../../../testing/agents.ts';
import { send } from '../../../testing/call.ts';
import { openRolloutFixture, type GroupMember, type RolloutFixture } from '../../../testing/rollouts.ts';
import { storeCounters } from './client-use.ts';
import type { ClientCounter } from './client-counters.ts';
import { deleteOldClients } from './old-clients.job.ts';

const NETWORKS = '/data_manager/v1/dm/device/networks';
const SETTINGS = '/data_manager/v1/dm/clients/settings';
const RECEIVED = 'Device.Hosts.Host.1.WANStats.BytesReceived';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let fixture: RolloutFixture;
let router: GroupMember;
const running: RunningStrictAgent[] = [];

beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  [router] = (await fixture.members(await fixture.group(), 1)) as [GroupMember];
});
afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop();
});

const save = (keep: networks.ClientSettings['keep'], days: number = 30) =>
  fixture.call<networks.ClientSettings>('PUT', SETTINGS, { org: fixture.scope.organizationId, keep, days });
const use = (more = '') => fixture.call<networks.ClientUseAnswer>('GET', `${NETWORKS}/use?device=${router.device}${more}`);
const look = () => fixture.call<networks.DeviceNetworks>('GET', `${NETWORKS}?device=${router.device}&part=clients`);
async function rows(table: string): Promise<number> {
  const { rows: found } = await fixture.server.owner.query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return found[0]!.n;
}
const routerId = async () => {
  const { rows: found } = await fixture.server.owner.query<{ id: string }>('select router_id as id from devices where id = $1', [
    router.device,
  ]);
  return found[0]!.id;
};
const phone = (sent: number, more: Partial<ClientCounter> = {}): ClientCounter => ({
  mac: '5A1122334455',
  name: 'phone',
  source: 'host',
  sent,
  received: 0,
  ...more,
});
const report = async (at: number, counters: readonly ClientCounter[]) =>
  storeCounters(fixture.server, [{ routerId: await routerId(), counters, at }]);
const purge = () => deleteOldClients(fixture.server.database, fixture.clock.now());

describe('LIV-02-partial use of clients by day', () => {
  test('is read from the router itself where the organization keeps it, and is today’s until midnight', async () => {
    const agent = startStrictAgent(fixture.address(), router);
    running.push(agent);
    await expect.poll(async () => (await look()).total).toBe(1);
    // It is off until someone switches it on.
    expect(await use()).toMatchObject({ settings: { keep: 'list' }, days: [], clients: [] });
    await save('use', 7);
    const counted = async (bytes: string) => {
      agent.agent.change(RECEIVED, bytes);
      fixture.clock.move(16 * 60_000);
    };
    await counted('1000');
    await expect.poll(() => rows('client_counters')).toBe(1);
    await counted('51000');
    await expect
      .poll(async () => (await use()).clients)
      .toMatchObject([{ name: 'phone', mac: '5A:11:22:33:44:55', random: true, sent: 50_000, received: 0 }]);
    const found = await use('&search=PHONE');
    expect(found).toMatchObject({ settings: { keep: 'use', days: 7 }, found: 1, total: 1, day: found.today });
    expect((await use('&search=tablet')).found).toBe(0);
    expect((await use('&search=5a-11-22-33-44-55')).found).toBe(1);
  });

  test('a day that is over is kept as many days as chosen, is in the file, and goes with the switch', async () => {
    await save('use', 7);
    const now = fixture.clock.now().getTime();
    const noon = now - (now % DAY) - DAY + 12 * HOUR;
    await report(noon, [phone(0)]);
    await report(noon + HOUR, [phone(4_000), phone(9, { mac: '0200000000AA', name: '=cmd|x' })]);
    await report(noon + 30 * HOUR, [phone(4_300), phone(19, { mac: '0200000000AA', name: '=cmd|x' })]);
    const days = (await use()).days;
    expect(days).toHaveLength(2);
    expect(days[1]).toMatchObject({ clients: 2 });
    expect(days[0]!.sent + days[1]!.sent).toBe(4_310);
    expect((await use(`&day=${days[1]!.day}`)).clients[0]).toMatchObject({ name: 'phone' });
    const { seeding, url } = fixture.server;
    const bearer = await seeding.bearer(await seeding.account(fixture.scope, `file-${now}@highline.invalid`, 'user'));
    await fixture.server.owner.query('update sessions set created_at = $1, last_used_at = $1', [fixture.clock.now()]);
    const file = await send(`${url}${NETWORKS}/use/export?device=${router.device}`, { bearer });
    expect(file.text.split('\r\n')[0]).toContain('MAC Address');
    expect(file.text).toContain('5A:11:22:33:44:55');
    expect(file.text).not.toMatch(/,=cmd/u);
    await fixture.server.owner.query('update devices set vehicle_number = $2 where id = $1', [
      router.device,
      '公車 12/3 [A&B] "west" of the longest line',
    ]);
    const named = await fetch(`${url}${NETWORKS}/use/export?device=${router.device}&format=xlsx`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect([named.status, named.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="Clients___ 12 3 [A&B] west of the longest line.xlsx"; filename*=UTF-8''Clients_%E5%85%AC%E8%BB%8A%2012%203%20%5BA%26B%5D%20west%20of%20the%20longest%20line.xlsx`,
    ]);
    expect(strFromU8(unzipSync(new Uint8Array(await named.arrayBuffer()))['xl/workbook.xml']!)).toContain(
      '<sheet name="Clients_公車 12 3  A&amp;B  &quot;west&quot; of" ',
    );
    fixture.clock.move(9 * DAY);
    await purge();
    expect(await rows('client_days')).toBe(0);
  });

  test('switched off, names and addresses of lists are deleted too, and nothing is read or stored any more', async () => {
    const agent = startStrictAgent(fixture.address(), router);
    running.push(agent);
    await save('use');
    await expect.poll(async () => (await look()).total).toBe(1);
    const now = fixture.clock.now().getTime();
    await report(now - 2 * DAY, [phone(0)]);
    await report(now, [phone(50)]);
    expect([await rows('client_days'), await rows('client_counters')]).not.toContain(0);
    await save('nothing');
    expect(await look()).toMatchObject({ off: true, clients: null, total: 0, readAt: null });
    await report(now + 60_000, [phone(90)]);
    const lists = await fixture.server.owner.query("select from router_tables where name = 'clients'");
    expect([await rows('client_days'), await rows('client_counters'), lists.rowCount]).toEqual([0, 0, 0]);
    expect(await use()).toMatchObject({ settings: { keep: 'nothing' }, days: [], clients: [], readAt: null });
    await save('list');
    fixture.clock.move(5_000);
    expect(await look()).toMatchObject({ total: 1 });
  });

  test('another owner and another device of the router begin again, and see nothing of before', async () => {
    await save('use');
    const now = fixture.clock.now().getTime();
    await report(now, [phone(0)]);
    await report(now + 60_000, [phone(70)]);
    expect((await use()).clients).toMatchObject([{ sent: 70 }]);
    const { owner } = fixture.server;
    await owner.query('update client_counters set device_id = gen_random_uuid()');
    expect((await use()).clients).toEqual([]);
    await report(now + 120_000, [phone(100)]);
    expect((await use()).clients).toEqual([]);
    await report(now + 180_000, [phone(130)]);
    expect((await use()).clients).toMatchObject([{ sent: 30 }]);
    await owner.query('update devices set archived_at = $2 where id = $1', [router.device, fixture.clock.now()]);
    fixture.clock.move(31 * DAY);
    await purge();
    expect([await rows('client_days'), await rows('client_counters')]).toEqual([0, 0]);
  });

  test('input is checked', async () => {
    const errorOf = (call: Promise<unknown>) =>
      call.then(
        () => 'accepted',
        (error: unknown) => String(error),
      );
    expect(await errorOf(save('use', 8))).toContain('request.invalid');
    expect(await errorOf(use('&day=2026-02-30'))).toContain('request.invalid');
    expect(await errorOf(fixture.call('GET', `${NETWORKS}/use?device=x`))).toContain('not_found');
    expect(await errorOf(fixture.call('GET', `${NETWORKS}/use/export?device=x`))).toContain('not_found');
  });
});
