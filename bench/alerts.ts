import { createReadingAlerts, createTelemetry } from '@highline/testkit/alerts';
import { openParts, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareWork, measureWork, rateFigures } from './compare.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { printTable } from './table.ts';

const DEVICES = options.short ? 500 : 10_000;
const RULES = 10;
/** Reports of each device in one measurement, and how often the two are measured in turn. */
const REPORTS = 3;
const ROUNDS = options.short ? 2 : 3;
/** Devices whose signal meets the first rule, and does not with the next report: of so many one. */
const ONE_OF = 100;

/**
 * Readings into the table, counted after their commit: with ten rules for each device, without any, and without looking at them
 * (ALR-04).
 */
export async function benchAlerts(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_alerts');
  const fleet = await seedRouters(database, DEVICES);
  const { deps, close } = await openParts(database);
  const bare = createTelemetry({ ...deps, retentionDays: 30 });
  const telemetry = createTelemetry({ ...deps, retentionDays: 30, lookAt: createReadingAlerts({ clock: deps.clock }) });
  await Promise.all([telemetry.start(), bare.start()]);
  const write = (writer: typeof bare, rules: number, isChanging: boolean) => async (round: number) => {
    await setRules(database, rules);
    await database.owner.query('truncate telemetry_reports');
    // Each process reads rules and routers once.
    await writeAll(writer, fleet, { round, reports: 1, isChanging });
    return measureWork(cluster, () => writeAll(writer, fleet, { round, reports: REPORTS, isChanging }));
  };
  const spent = await compareWork(ROUNDS, {
    bare: write(bare, 0, true),
    without: write(telemetry, 0, true),
    unchanged: write(telemetry, RULES, false),
    changed: write(telemetry, RULES, true),
  });
  const { rows } = await database.owner.query<{ n: number }>('select count(*)::int as n from alert_states');
  await Promise.all([telemetry.stop(), bare.stop()]);
  await close();
  await database.close();
  const reports = DEVICES * REPORTS;
  printTable(
    `Readings of ${DEVICES} devices with ${RULES} rules for each`,
    [
      ...rateFigures('reports durable per second, no condition changes', reports, spent.unchanged, spent.without, '0.9 ×'),
      ...rateFigures('the same with changes', reports, spent.changed, spent.without, '0.9 ×'),
      ...rateFigures('no changes, next to reports no one looks at', reports, spent.unchanged, spent.bare),
    ],
    [
      `Ceiling: the same reports without a rule, and without looking for rules; measured in turn, the medians of ${ROUNDS}.`,
      `One device of ${ONE_OF} begins to meet two rules, or ends to, with each report of the line with changes; ${rows[0]!.n} conditions held at the end.`,
    ],
  );
}

/** The rules of every organization that has devices. */
export async function setRules({ owner }: BenchDatabase, count: number): Promise<void> {
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
  { round, reports, isChanging }: { readonly round: number; readonly reports: number; readonly isChanging: boolean },
): Promise<void> {
  for (let report = 0; report < reports; report++) {
    const at = Date.now();
    await Promise.all(
      routers.map(({ id }, index) => {
        const isBad = isChanging && index % ONE_OF === (round + report) % ONE_OF;
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
