import { sql } from 'kysely';
import { ensureTimePartitions, readings, recordedFacts } from '../domains/router-state/index.ts';
import type { Actor, MainScope, OrganizationScope } from '../kernel/scope.ts';
import type { TestApp } from './test-app.ts';

/** A record with all facts known to the test. */
export interface KnownRecord {
  readonly at: number;
  readonly routerId: string;
  readonly device: string;
  readonly group: string;
  readonly property: string;
  readonly value: string | number | boolean;
}

export interface KnownRecords {
  readonly scope: OrganizationScope;
  readonly admin: Actor;
  /** Two groups; both have devices, as has the default group. */
  readonly groups: readonly string[];
  readonly devices: readonly {
    readonly id: string;
    readonly serial: string;
    readonly routerId: string;
    readonly group: string;
  }[];
  /** A device that the organization had and deleted; its router later reported to another organization. */
  readonly gone: string;
  /** Newest first. */
  readonly records: readonly KnownRecord[];
}

const HOUR_MS = 3_600_000;

/** Pseudo-random numbers, identical in every run. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Six devices of one organization that reported numbers, connections and boots over three days before now, many at the same time;
 * one was deleted and its router sold, and each router reported before it was claimed.
 */
export async function seedRecords(app: TestApp, scope: OrganizationScope): Promise<KnownRecords> {
  const main = { kind: 'main' as const, mainAccountId: scope.mainAccountId };
  const now = app.clock.now();
  await ensureTimePartitions(app.database, now);
  const unrelated = await app.seeding.organization(main, 'Unrelated');
  const groups = [await app.seeding.group(scope, 'North'), await app.seeding.group(scope, 'South')];
  const stock = Array.from({ length: 6 }, (_, index) => ({ serial: `RPT-${index}`, mac: `00B2D0AA000${index}` }));
  await app.seeding.routers(main, stock);
  const ids = await app.seeding.devices(
    scope,
    stock.map((router, index) => ({ ...router, ...(index % 3 === 2 ? {} : { group: groups[index % 3]! }) })),
  );
  const admin = app.person(scope, 'admin');
  const gone = ids[5]!;
  const owner = app.owner;
  await app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { org: scope.organizationId, devices: [gone] } });
  const [sold] = await app.seeding.devices(unrelated, [stock[5]!]);
  const rows = await app.reader.rows<{ id: string; router_id: string; serial: string; group_key: string }>(
    sql`select id, router_id, serial, group_key from devices where organization_id = ${scope.organizationId}::uuid order by serial`,
  );
  const hours = (count: number) => new Date(now.getTime() - count * HOUR_MS);
  // No organization had them before three days ago, and the sold one changed hands half a day ago.
  await owner.query('update router_ownership set owned_from = $1 where device_id = any ($2)', [hours(72), ids]);
  await owner.query('update router_ownership set owned_until = $1 where device_id = $2', [hours(12), gone]);
  await owner.query('update router_ownership set owned_from = $1 where device_id = $2', [hours(12), sold]);
  const draw = numbersFrom(7);
  const records: KnownRecord[] = [];
  for (const { id, router_id: routerId, group_key: group } of rows) {
    const owns = (at: number) => at >= hours(72).getTime() && (id !== gone || at < hours(12).getTime());
    const know = (at: number, property: string, value: KnownRecord['value']) => {
      if (owns(at)) records.push({ at, routerId, device: id, group, property, value });
    };
    const measured = new Map<string, [number, number, number]>();
    for (let index = 0; index < 140; index += 1) {
      const at = now.getTime() - draw(75 * 60) * 60_000;
      const parameter = draw(3) === 0 ? 4 : 1 + draw(readings.length);
      measured.set(`${at} ${parameter}`, [at, parameter, draw(40) - 20 + draw(4) / 4]);
    }
    for (const [at, parameter, value] of measured.values()) {
      const { key } = readings[parameter - 1]!;
      // Some of them as an earlier version stored them.
      await (parameter % 3 === 0
        ? owner.query('insert into telemetry values ($1, $2, $3, $4)', [routerId, new Date(at), parameter, value])
        : owner.query(`insert into telemetry_reports (router_id, at, ${key}) values ($1, $2, $3)`, [
            routerId,
            new Date(at),
            value,
          ]));
      know(at, key, value);
    }
    for (let index = 0; index < 12; index += 1) {
      const at = now.getTime() - draw(75 * 60) * 60_000 - index;
      const fact = recordedFacts[draw(recordedFacts.length)]!.key;
      const value = ['Verizon', 'AT&T', '2.8.1', ''][draw(4)]!;
      await owner.query('insert into router_facts (router_id, at, fact, value) values ($1, $2, $3, $4)', [
        routerId,
        new Date(at),
        fact,
        value,
      ]);
      know(at, fact, value);
    }
    const connections = new Set(Array.from({ length: 30 }, () => now.getTime() - draw(75 * 60) * 60_000));
    for (const at of connections) {
      const [kind, reason] = (
        [
          ['online', 'connected'],
          ['offline', 'no-answer'],
          ['boot', 'LocalReboot'],
        ] as const
      )[draw(3)]!;
      await owner.query('insert into connectivity values ($1, $2, $3, $4)', [routerId, new Date(at), kind, reason]);
      if (kind !== 'boot') know(at, 'online', kind === 'online');
      know(at, 'event', `${kind}: ${reason}`);
    }
  }
  const devices = rows.map(({ id, serial, router_id: routerId, group_key: group }) => ({ id, serial, routerId, group }));
  return { scope, admin, groups, devices, gone, records: records.sort(newestFirst) };
}

const order = [...readings.map(({ key }) => key), 'online', 'event', ...recordedFacts.map(({ key }) => key)];

function newestFirst(a: KnownRecord, b: KnownRecord): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.routerId !== b.routerId) return a.routerId < b.routerId ? 1 : -1;
  return order.indexOf(b.property) - order.indexOf(a.property);
}

/** A signed-in user with an account that can own saved items. */
export async function withAccount(
  app: TestApp,
  scope: MainScope | OrganizationScope,
  role: 'main' | 'admin' | 'user',
): Promise<Actor> {
  const actor = app.person(scope, role);
  await app.owner.query('insert into accounts (id, main_account_id, organization_id, email, name) values ($1, $2, $3, $4, $5)', [
    actor.accountId,
    actor.mainAccountId,
    actor.organizationId,
    `${actor.accountId}@highline.invalid`,
    actor.name,
  ]);
  return actor;
}
