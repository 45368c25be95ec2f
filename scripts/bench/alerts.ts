import { createReadingAlerts, createTelemetry } from '@highline/testkit/alerts';
import { createDatabase, openDatabase, systemClock } from '@highline/testkit/database';
import { silentLog, type BenchDatabase, type Cluster } from './cluster.ts';
import { timed } from './measure.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { printTable, times } from './table.ts';

const DEVICES = options.short ? 500 : 10_000;
const RULES = 10;
/** Reports of each device in one measurement, and how often the two are measured in turn. */
const REPORTS = 4;
const ROUNDS = options.short ? 2 : 6;
/** Devices whose signal meets the first rule, and does not with the next report: of so many one. */
const ONE_OF = 100;

/** Readings into the table, counted after their commit: with ten rules for each device, and without any (ALR-04). */
export async function benchAlerts(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_alerts');
  const fleet = await seedRouters(database, DEVICES);
  const opened = await openDatabase(
    { kind: 'external', url: database.ownerUrl, serveUrl: database.serveUrl, poolSize: 4 },
    silentLog,
  );
  const telemetry = createTelemetry({
    database: createDatabase(opened.pool, () => {}),
    clock: systemClock,
    log: silentLog,
    retentionDays: 30,
    lookAt: createReadingAlerts({ clock: systemClock }),
  });
  await telemetry.start();
  const rates = { without: [] as number[], with: [] as number[] };
  // In turn, since the machine is not the same from one minute to the next; the first of each warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of ['without', 'with'] as const) {
      await setRules(database, kind === 'with' ? RULES : 0);
      await database.owner.query('truncate telemetry_reports');
      const seconds = (await timed(() => writeAll(telemetry, fleet, round))) / 1_000;
      if (round > 0) rates[kind].push((DEVICES * REPORTS) / seconds);
    }
  const { rows } = await database.owner.query<{ n: number }>('select count(*)::int as n from alert_states');
  await telemetry.stop();
  await opened.close();
  await database.close();
  const [plain, ruled] = [median(rates.without), median(rates.with)];
  printTable(
    `Readings of ${DEVICES} devices with ${RULES} rules for each`,
    [
      {
        name: 'reports durable per second',
        ours: `${Math.round(ruled)}/s`,
        ceiling: `${Math.round(plain)}/s`,
        ratio: times(ruled / plain),
        aim: '0.9 ×',
      },
    ],
    [
      `Ceiling: the same reports without a rule, measured in turn; the median of ${ROUNDS}.`,
      `One device of ${ONE_OF} begins to meet a rule, or ends to, with each report; ${rows[0]!.n} conditions held at the end.`,
    ],
  );
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The rules of every organization that has devices. */
async function setRules({ owner }: BenchDatabase, count: number): Promise<void> {
  await owner.query('delete from alert_states; delete from alert_rules');
  await owner.query(
    `insert into alert_rules (organization_id, id, main_account_id, name, is_enabled, severity, kind, condition, for_seconds, scope_kind,
       channels, created_at, updated_at)
     select o.id, gen_random_uuid(), o.main_account_id, 'Rule ' || n, true, 'warning', 'reading',
       jsonb_build_object('kind', 'reading', 'reading', (array['rsrp', 'rssi', 'rsrq', 'temperature', 'voltage'])[1 + n % 5],
         'operator', case when n % 5 = 3 then 'above' else 'below' end, 'threshold', case when n % 5 = 3 then 90 else -130 + n end),
       60, 'all', '{"mails":[],"escalation":null,"quiet":null}', now(), now()
     from organizations o, generate_series(1, $1::int) n where exists (select from devices d where d.organization_id = o.id)`,
    [count],
  );
  await owner.query(
    `insert into alert_rule_versions as v select distinct organization_id, 1 from devices
     on conflict (organization_id) do update set version = v.version + 1`,
  );
}

async function writeAll(
  telemetry: ReturnType<typeof createTelemetry>,
  { routers }: Pick<ClaimedRouters, 'routers'>,
  round: number,
): Promise<void> {
  for (let report = 0; report < REPORTS; report++) {
    const at = Date.now();
    await Promise.all(
      routers.map(({ id }, index) => {
        const isBad = index % ONE_OF === (round + report) % ONE_OF;
        return telemetry.write(id, [
          { at, parameter: 'rssi', value: -70 },
          { at, parameter: 'rsrp', value: -95 },
          { at, parameter: 'rsrq', value: -10 },
          { at, parameter: 'temperature', value: isBad ? 95 : 40 },
          { at, parameter: 'voltage', value: 12.5 },
        ]);
      }),
    );
  }
}
