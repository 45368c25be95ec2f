import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { eventually } from '../../../testing/eventually.ts';
import { silentLog } from '../../../testing/log.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../../testing/routers.ts';
import { createNode, type ServerNode } from '../../../platform/nodes/index.ts';
import { createPresence, type PresenceService } from '../index.ts';
import type { PresenceDeps } from './presence.service.ts';
import { writeChanges } from './presence.store.ts';

let fleet: RouterDatabase;
let router: TestRouter;
let otherRouter: TestRouter;
let node: ServerNode;
/** Sockets are numbered in the order of their admission. */
let epoch = 0;
let now = new Date('2026-11-20T12:00:00Z');
const clock = { now: () => now };
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());
beforeEach(async () => {
  [router, otherRouter] = (await addTestRouters(fleet, 2)) as [TestRouter, TestRouter];
});

/** The presence of the next start of one process. */
function create(more: Partial<PresenceDeps> = {}): PresenceService {
  const own = createNode({
    database: fleet.database,
    log: silentLog,
    shared: { bus: true, files: true },
    name: 'test',
    host: 'test',
    version: 'test',
  });
  const presence = createPresence({
    database: fleet.database,
    clock,
    log: silentLog,
    node: own,
    graceMs: 50_000,
    settings: { collectMs: 1, contactFlushMs: NEVER_MS },
    ...more,
  });
  return {
    ...presence,
    async start() {
      node = own;
      await own.start();
      await presence.start();
    },
  };
}

/** Longer than any test: contacts are written when a test says so. */
const NEVER_MS = 3_600_000;

async function started(): Promise<PresenceService> {
  const presence = create();
  await presence.start();
  await presence.comparison.run(now);
  await sql`delete from outbox`.execute(fleet.database.read);
  return presence;
}

const deviceOf = (which: TestRouter) => fleet.deviceOf(which);
const rowOf = (which: TestRouter) => fleet.routerOf(which);
const contactOf = (which: TestRouter) => fleet.contactOf(which);
const historyOf = (which: TestRouter) => fleet.historyOf(which);
const outbox = () => fleet.database.read.selectFrom('outbox').selectAll().orderBy('position').execute();

describe('presence', () => {
  it('DEV-08-partial a router that connects and is lost is shown so in its row, its device and its history', async () => {
    const presence = await started();
    presence.connected(router.id, ++epoch);
    await presence.flush();
    expect(await deviceOf(router)).toMatchObject({ presence: 'online', presence_since: now, presence_reason: 'connected' });
    expect(await deviceOf(otherRouter)).toMatchObject({ presence: 'offline', presence_since: null });

    presence.disconnected(router.id, 'no-answer', later(-50_000));
    await presence.flush();
    const lost = { presence: 'offline', presence_since: now, presence_reason: 'no-answer' };
    expect(await rowOf(router)).toMatchObject(lost);
    expect(await deviceOf(router)).toMatchObject(lost);
    expect(await contactOf(router)).toMatchObject({ last_contact_at: now });
    expect(await historyOf(router)).toEqual(['online: connected', 'offline: no-answer']);
    await presence.stop();
  });

  it('notifies the consoles of the organization and of the inventory once for many routers, and no others', async () => {
    const presence = await started();
    const many = await addTestRouters(fleet, 20);
    for (const { id } of many) presence.connected(id, ++epoch);
    await presence.flush();
    const events = await outbox();
    expect(events.map(({ topic, organization_id }) => [topic, organization_id])).toEqual([
      ['devices', fleet.organizationId],
      ['inventory', null],
    ]);
    expect(events[0]?.ids.toSorted()).toEqual(many.map(({ deviceId }) => deviceId).sort());
    expect(events[1]?.ids.toSorted()).toEqual(many.map(({ id }) => id).sort());
    await presence.stop();
  });

  it('DEV-09-partial reported values are in the list; a missing value is cleared, an unmentioned one stays', async () => {
    const presence = await started();
    const booted = later(-3_600_000);
    await presence.recordReport(
      router.id,
      { model: 'HR-500', firmware: '2.4.1', iccid: '89', booted_at: booted.toISOString() },
      90_000,
    );
    expect(await deviceOf(router)).toMatchObject({ model: 'HR-500', firmware: '2.4.1', iccid: '89', booted_at: booted });
    expect(await rowOf(router)).toMatchObject({ clock_skew_ms: 90_000 });

    await presence.recordReport(router.id, { firmware: '2.5.0', iccid: null, invalid: ['imei'], imei: '123' });
    expect(await deviceOf(router)).toMatchObject({ model: 'HR-500', firmware: '2.5.0', iccid: null, imei: '123' });
    expect((await rowOf(router)).reported).toMatchObject({ invalid: ['imei'] });
    await presence.stop();
  });

  it('RPT-01-partial records each change of rarely changing values, and no repetition', async () => {
    const presence = await started();
    await presence.recordReport(router.id, { firmware: '2.4.1', carrier: 'Verizon', model: 'HR-500', iccid: null });
    await presence.recordReport(router.id, { firmware: '2.4.1', carrier: 'AT&T' });
    await presence.recordReport(router.id, { carrier: null, config: 'x'.repeat(500) });
    const { rows } = await sql<{ fact: string; value: string }>`select fact, value from router_facts
      where router_id = ${router.id}::uuid order by id`.execute(fleet.database.read);
    expect(rows.map(({ fact, value }) => `${fact} ${value}`).sort()).toEqual(
      ['carrier ', 'carrier AT&T', 'carrier Verizon', `config ${'x'.repeat(200)}`, 'firmware 2.4.1'].sort(),
    );
    await sql`insert into router_facts (router_id, fact, value) select ${router.id}::uuid, 'carrier', n::text
      from generate_series(1, 195) n`.execute(fleet.database.read);
    await presence.recordReport(router.id, { carrier: 'One too many in an hour' });
    const [kept] = (
      await sql<{ count: number }>`select count(*)::int as count from router_facts
        where router_id = ${router.id}::uuid`.execute(fleet.database.read)
    ).rows;
    expect(kept!.count).toBe(200);
    expect((await rowOf(router)).reported).toMatchObject({ carrier: 'One too many in an hour' });
    await presence.stop();
  });

  it('treats a start computed some seconds differently as the same start, and notifies no console when nothing changed', async () => {
    const presence = await started();
    const booted = later(-3_600_000);
    await presence.recordReport(router.id, { firmware: '1', booted_at: booted.toISOString() }, 1_500);
    await sql`delete from outbox`.execute(fleet.database.read);
    await presence.recordReport(router.id, { firmware: '1', booted_at: new Date(booted.getTime() + 4_000).toISOString() }, 1_900);
    expect((await deviceOf(router)).booted_at).toEqual(booted);
    expect(await outbox()).toEqual([]);

    const again = new Date(booted.getTime() + 60_000);
    await presence.recordReport(router.id, { booted_at: again.toISOString() });
    expect((await deviceOf(router)).booted_at).toEqual(again);
    await presence.stop();
  });

  it('stores the reports of a router in stock for the device that claims it later', async () => {
    const presence = await started();
    await sql`update routers set organization_id = null, device_id = null where id = ${router.id}::uuid`.execute(
      fleet.database.read,
    );
    presence.connected(router.id, ++epoch);
    await presence.recordReport(router.id, { firmware: '9' });
    expect(await rowOf(router)).toMatchObject({ presence: 'online', reported: { firmware: '9' } });
    expect(await deviceOf(router)).toMatchObject({ presence: 'offline', firmware: null });
    await presence.stop();
  });

  it('DEV-08-partial a heartbeat changes only memory; the database follows when contacts are flushed, and at a stop', async () => {
    const presence = await started();
    for (const { id } of [router, otherRouter]) presence.connected(id, ++epoch);
    await presence.flush();
    await sql`delete from outbox`.execute(fleet.database.read);
    const versions = async () =>
      (
        await sql<{ versions: string }>`
      select string_agg(v, ' ' order by v) as versions from (
        select 'device ' || id || ' ' || xmin from devices union all select 'router ' || id || ' ' || xmin from routers
      ) as rows (v)`.execute(fleet.database.read)
      ).rows[0]!.versions;
    const before = await versions();

    for (let beat = 1; beat <= 50; beat++) presence.recordContact(router.id, later(beat * 1_000), -100 + beat);
    presence.recordContact(router.id, later(1_000));
    expect(presence.contacts.latest(router.id)).toEqual({ at: later(50_000), rssi: -50 });
    expect(await contactOf(router)).toMatchObject({ last_contact_at: now, rssi: null });

    await presence.flush();
    expect(await contactOf(router)).toMatchObject({ last_contact_at: later(50_000), rssi: -50 });
    expect(await contactOf(otherRouter)).toMatchObject({ last_contact_at: now, rssi: null });
    presence.recordContact(router.id, later(60_000));
    await presence.stop();
    expect(await contactOf(router)).toMatchObject({ last_contact_at: later(60_000), rssi: -50 });
    expect(await versions()).toBe(before);
    expect(await outbox()).toEqual([]);
  });

  it('DEV-08-partial a process that dies between two flushes loses the last contact of that time and nothing else', async () => {
    const killed = await started();
    killed.connected(router.id, ++epoch);
    await killed.recordReport(router.id, { firmware: '3' });
    killed.recordContact(router.id, later(10_000), -70);
    await killed.flush();
    killed.recordContact(router.id, later(20_000), -60);

    const presence = await started();
    expect(await contactOf(router)).toMatchObject({ last_contact_at: later(10_000), rssi: -70 });
    expect(await rowOf(router)).toMatchObject({ presence: 'unknown', reported: { firmware: '3' } });
    expect(await historyOf(router)).toEqual(['online: connected']);
    presence.connected(router.id, ++epoch);
    await presence.flush();
    expect(await deviceOf(router)).toMatchObject({ presence: 'online', firmware: '3' });
    await presence.stop();
  });

  it('a contact of a router that was removed from the inventory is left out, and so are contacts in memory once the router is removed', async () => {
    const presence = await started();
    presence.connected(router.id, ++epoch);
    await presence.flush();
    await sql`delete from routers where id = ${router.id}::uuid`.execute(fleet.database.read);
    presence.recordContact(router.id, later(1_000));
    presence.recordContact(otherRouter.id, later(1_000));
    await presence.flush();
    expect(await contactOf(otherRouter)).toMatchObject({ last_contact_at: later(1_000) });
    presence.disconnected(router.id, 'connection-lost', now);
    await presence.flush();
    expect([router, otherRouter].map(({ id }) => presence.contacts.latest(id))).toEqual([undefined, undefined]);
    await presence.stop();
  });

  it('NOD-02-partial a start does not wait for the online states of ended processes; a router that connects meanwhile stays online', async () => {
    const many = await addTestRouters(fleet, 2_500);
    // Some by a node that has ended, some by a version that knew no nodes.
    await sql`update routers set presence = 'online', held_by = case when id < ${many[1_200]!.id}::uuid then ${newId()}::uuid end
      where id = any (${many.map(({ id }) => id)}::uuid[])`.execute(fleet.database.read);
    const states = async () =>
      new Map(
        (
          await sql<{ presence: string; count: number }>`select presence, count(*)::int as count from routers
      where id = any (${many.map(({ id }) => id)}::uuid[]) group by presence`.execute(fleet.database.read)
        ).rows.map((row) => [row.presence, row.count]),
      );
    const holder = await fleet.pool.connect();
    const presence = create();
    try {
      await holder.query('begin');
      await holder.query('select from routers where id = $1 for update', [many[0]!.id]);
      await presence.start();
      expect((await states()).get('online')).toBeGreaterThan(0);
      presence.connected(many[1]!.id, ++epoch);
    } finally {
      await holder.query('commit');
      holder.release();
    }
    // The one that runs may have skipped the locked router.
    await presence.comparison.run(now);
    await presence.comparison.run(now);
    await presence.flush();
    expect(await states()).toEqual(
      new Map([
        ['online', 1],
        ['unknown', 2_499],
      ]),
    );

    now = later(50_000);
    await presence.comparison.run(now);
    await presence.flush();
    expect(await states()).toEqual(
      new Map([
        ['online', 1],
        ['offline', 2_499],
      ]),
    );
    await presence.stop();
  });

  it('a stop during the start ends it; the grace period applies to those that were not reached', async () => {
    const before = await started();
    before.connected(router.id, ++epoch);
    await before.stop();
    const presence = create();
    await presence.start();
    await presence.stop();
    expect(['online', 'unknown']).toContain((await rowOf(router)).presence);
    const next = create({ graceMs: 0 });
    await next.start();
    await next.comparison.run(now);
    await next.flush();
    expect(await rowOf(router)).toMatchObject({ presence: 'offline', presence_reason: 'not-seen-since-restart' });
    await next.stop();
  });

  it('after a start an online router is unknown; one that does not reconnect within the window is offline, the others are not', async () => {
    const before = await started();
    before.connected(router.id, ++epoch);
    before.connected(otherRouter.id, ++epoch);
    await before.flush();

    const presence = await started();
    expect(await deviceOf(router)).toMatchObject({ presence: 'unknown', presence_reason: 'server-restarted' });
    presence.connected(otherRouter.id, ++epoch);
    await presence.flush();
    await presence.comparison.run(now);
    expect(await deviceOf(router)).toMatchObject({ presence: 'unknown' });

    now = later(50_000);
    await presence.comparison.run(now);
    await presence.flush();
    expect(await deviceOf(router)).toMatchObject({ presence: 'offline', presence_reason: 'not-seen-since-restart' });
    expect(await deviceOf(otherRouter)).toMatchObject({ presence: 'online' });
    await Promise.all([before.stop(), presence.stop()]);
  });

  it('DEV-08-partial one that reconnected within the window was never offline, although the database could not be reached until later', async () => {
    const before = await started();
    before.connected(router.id, ++epoch);
    await before.flush();
    const presence = await started();
    const outage = fleet.breakDatabase();
    presence.connected(router.id, ++epoch);
    await eventually(() => expect(outage.tries()).toBeGreaterThan(0));
    now = later(50_000);
    outage.repair();
    await presence.comparison.run(now);
    await presence.flush();
    expect(await historyOf(router)).toEqual(['online: connected', 'online: connected']);
    await Promise.all([before.stop(), presence.stop()]);
  });

  it('DEV-08-partial where many came back after a start, one that waits before it tries again is not offline until four windows are over', async () => {
    const fleetOfMany = await addTestRouters(fleet, 60);
    const before = await started();
    for (const { id } of [...fleetOfMany, router, otherRouter]) before.connected(id, ++epoch);
    await before.flush();

    const presence = await started();
    for (const { id } of fleetOfMany) presence.connected(id, ++epoch);
    await presence.flush();
    for (const windows of [1, 3]) {
      now = later(windows === 1 ? 50_000 : 100_000);
      await presence.comparison.run(now);
      await presence.flush();
      expect(await deviceOf(router)).toMatchObject({ presence: 'unknown', presence_reason: 'server-restarted' });
    }
    presence.connected(otherRouter.id, ++epoch);
    now = later(50_000);
    await presence.comparison.run(now);
    await presence.flush();
    expect(await historyOf(otherRouter)).not.toContain('offline: not-seen-since-restart');
    expect(await deviceOf(router)).toMatchObject({ presence: 'offline', presence_reason: 'not-seen-since-restart' });
    await Promise.all([before.stop(), presence.stop()]);
  });

  it('the end of the window is noticed without any job', async () => {
    const before = await started();
    before.connected(router.id, ++epoch);
    await before.flush();
    await before.stop();
    const presence = create({ clock: { now: () => new Date() }, graceMs: 20 });
    await presence.start();
    await eventually(async () => expect(await deviceOf(router)).toMatchObject({ presence: 'offline' }));
    await presence.stop();
  });

  it('changes made while the database is down are all there once it is back, and were announced only then', async () => {
    const presence = await started();
    const outage = fleet.breakDatabase();
    presence.connected(router.id, ++epoch);
    presence.connected(otherRouter.id, ++epoch);
    let durable = false;
    const storing = presence.recordReport(router.id, { firmware: '7' }).then(() => (durable = true));
    await eventually(() => expect(outage.tries()).toBeGreaterThan(1));
    presence.disconnected(otherRouter.id, 'connection-lost', now);
    expect(durable).toBe(false);
    outage.repair();
    await Promise.all([storing, presence.flush()]);
    expect(await deviceOf(router)).toMatchObject({ presence: 'online', firmware: '7' });
    expect(await deviceOf(otherRouter)).toMatchObject({ presence: 'offline' });
    expect(await historyOf(otherRouter)).toEqual(['online: connected', 'offline: connection-lost']);
    await presence.stop();
  });

  it('corrects a database that disagrees with the sockets, in both directions', async () => {
    const presence = await started();
    presence.connected(router.id, ++epoch);
    await presence.flush();
    await sql`update routers set presence = 'offline' where id = ${router.id}::uuid`.execute(fleet.database.read);
    await sql`update routers set presence = 'online', held_by = ${node.id}::uuid where id = ${otherRouter.id}::uuid`.execute(
      fleet.database.read,
    );
    await presence.comparison.run(now);
    await presence.flush();
    expect(await rowOf(router)).toMatchObject({ presence: 'online' });
    expect(await rowOf(otherRouter)).toMatchObject({ presence: 'offline', presence_reason: 'connection-lost' });
    await presence.stop();
  });

  it('a value that the database rejects affects only itself: the other values and the presence of that router are written', async () => {
    const presence = await started();
    presence.connected(router.id, ++epoch);
    const rejected = presence.recordReport(router.id, { firmware: 'a\u0000b' }).catch((error: unknown) => error);
    const accepted = presence.recordReport(otherRouter.id, { firmware: 'good' });
    await accepted;
    expect(await rejected).toMatchObject({ code: '22P05' });
    await presence.flush();
    expect(await deviceOf(router)).toMatchObject({ presence: 'online', firmware: null });
    expect(await deviceOf(otherRouter)).toMatchObject({ firmware: 'good' });
    await presence.stop();
  });

  it('creates a missing day of history instead of losing the change', async () => {
    const presence = await started();
    await sql`select drop_partitions_before('2026-12-31'::date) from generate_series(1, 100)`.execute(fleet.database.read);
    presence.connected(router.id, ++epoch);
    await presence.flush();
    expect(await historyOf(router)).toEqual(['online: connected']);
    await presence.stop();
  });

  it('reports which connected routers were removed from the inventory', async () => {
    const presence = await started();
    const gone: string[] = [];
    presence.onGone((ids) => gone.push(...ids));
    await sql`delete from routers where id = ${router.id}::uuid`.execute(fleet.database.read);
    presence.connected(router.id, ++epoch);
    presence.connected(otherRouter.id, ++epoch);
    await presence.flush();
    expect(gone).toEqual([router.id]);
    expect(await rowOf(otherRouter)).toMatchObject({ presence: 'online' });
    await presence.stop();
  });
});

it('NOD-02-partial a process that is frozen while it writes a router loses its lock, so that the process with the new socket writes it', async () => {
  const presence = await started();
  const [locked, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const frozen = fleet.database.write(async (tx) => {
    await writeChanges(tx, [{ routerId: router.id, reported: {}, events: [], waiters: [] }], newId());
    locked.resolve();
    await resumed.promise;
    await sql`select 1`.execute(tx);
  });
  await locked.promise;
  presence.connected(router.id, ++epoch);
  await presence.flush();
  expect((await rowOf(router)).presence).toBe('online');
  resumed.resolve();
  await expect(frozen).rejects.toThrow(/connection/iu);
});
