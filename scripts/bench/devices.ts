import { Client } from 'pg';
import { measure, ms, percentile, times, type Figure } from './figures.ts';
import type { Stage } from './stage.ts';

const DEVICES = 100_000;

/** 100,000 devices in the admin's organization, by set-based SQL. */
async function fill({ owner }: Stage): Promise<string> {
  const { rows } = await owner.query<{ id: string; main_account_id: string }>(
    "select id, main_account_id from organizations where name = 'Lakeshore Transit'",
  );
  const org = rows[0]!;
  await owner.query(
    `with made as (
       select n, gen_random_uuid() as router, gen_random_uuid() as device, 'BN' || lpad((n * 7919 % 1000003)::text, 7, '0') || n as serial, upper(lpad(to_hex(n), 12, '0')) as mac
       from generate_series(1, ${DEVICES}) n),
     routers as (
       insert into routers (id, main_account_id, serial, mac, endpoint_id, secret_hash, organization_id, device_id)
       select router, $2, serial, mac, 'os::' || serial, sha256(serial::bytea), $1, device from made)
     insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key, vehicle_number, started_on, expires_on, presence, model, firmware, config, carrier, booted_at)
     select $1, device, $2, router, serial, mac, 'default+group+id', 'Bus ' || (n * 31 % 9973), current_date - 100, current_date + (n % 400) - 20,
       case when n % 11 = 0 then 'offline' else 'online' end, case when n % 3 = 0 then 'HL-R320' else 'HL-R520 5G' end, '2.' || (n % 9) || '.1', 'depot-' || (n % 50) || '.cfg',
       (array['Verizon','AT&T','T-Mobile','FirstNet'])[1 + n % 4], now() - (n % 90000) * interval '1 minute' from made`,
    [org.id, org.main_account_id],
  );
  await owner.query('vacuum analyze devices');
  return org.id;
}

interface Case {
  readonly name: string;
  readonly path: string;
  readonly sql: string;
}

const columns =
  'd.id, d.serial, d.mac, d.vehicle_number, d.note, d.group_key, g.name, d.presence, d.model, d.firmware, d.config, d.carrier, d.booted_at, d.started_on, d.expires_on';
const from =
  'from devices d join groups g on g.organization_id = d.organization_id and g.key = d.group_key where d.organization_id = $1 and d.archived_at is null';

const cases: readonly Case[] = [
  {
    name: 'filter + sort + search, page of 50',
    path: 'presence=online&sort=vehicle&field=serial&search=77&limit=50&offset=0',
    sql: `select ${columns} ${from} and d.presence = 'online' and d.serial like '%77%' order by d.vehicle_number, d.id limit 50`,
  },
  {
    name: 'first page by serial',
    path: 'sort=serial&limit=50&offset=0',
    sql: `select ${columns} ${from} order by d.serial, d.id limit 50`,
  },
  {
    name: 'jump to row 60,000',
    path: 'sort=serial&limit=50&offset=60000',
    sql: `select ${columns} ${from} order by d.serial, d.id offset 60000 limit 50`,
  },
  {
    name: 'total of a rare search',
    path: 'field=vehicle&search=Bus%209972&limit=50&offset=0',
    sql: `select ${columns}, count(*) over () ${from} and d.vehicle_number like '%Bus 9972%' order by d.serial, d.id limit 50`,
  },
];

/** The list over HTTP beside the same rows by SQL. */
export async function benchDevices(stage: Stage): Promise<Figure[]> {
  const org = await fill(stage);
  const bearer = await stage.signIn('admin');
  const raw = new Client(stage.ownerUrl);
  await raw.connect();
  const get = async (query: string) => {
    const answer = await fetch(`${stage.url}/data_manager/v1/dm/devices?${query}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { next?: string | null };
  };
  const figures: Figure[] = [];
  const add = (name: string, ours: readonly number[], ceiling: readonly number[]) =>
    figures.push({
      name,
      ours: `p50 ${ms(percentile(ours, 0.5))}, p99 ${ms(percentile(ours, 0.99))}`,
      ceiling: `SQL p50 ${ms(percentile(ceiling, 0.5))}, p99 ${ms(percentile(ceiling, 0.99))}`,
      ratio: times(percentile(ours, 0.99), percentile(ceiling, 0.99)),
      aim: '≤ 2×, ≤ 100 ms',
    });
  for (const { name, path, sql } of cases) {
    const ceiling = await measure(150, () => raw.query({ name, text: sql, values: [org] }));
    add(name, await measure(150, () => get(path)), ceiling);
  }
  let next = (await get('sort=serial&limit=50&offset=0')).next;
  let last = '';
  const neighbour = await measure(150, async () => {
    next = (await get(`sort=serial&limit=50&cursor=${encodeURIComponent(next ?? '')}`)).next;
  });
  const byKey = await measure(150, async () => {
    const { rows } = await raw.query<{ serial: string }>({
      name: 'key',
      text: `select ${columns} ${from} and d.serial > $2 order by d.serial, d.id limit 50`,
      values: [org, last],
    });
    last = rows.at(-1)?.serial ?? '';
  });
  add('neighbour page by key', neighbour, byKey);
  await raw.end();
  return figures;
}
