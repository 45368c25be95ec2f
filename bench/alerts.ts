import { createReadingAlerts, createTelemetry } from '@highline/testkit/alerts';
import { createDatabase, openDatabase, systemClock } from '@highline/testkit/database';
import { silentLog, type BenchDatabase, type Cluster } from './cluster.ts';
import { cpuOf, cpuOfFamily, timed } from './measure.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { printTable, times, type Figure } from './table.ts';

const DEVICES = options.short ? 500 : 10_000;
const RULES = 10;
/** Reports of each device in one measurement, and how often the two are measured in turn. */
const REPORTS = 3;
const ROUNDS = options.short ? 2 : 3;
/** Devices whose signal meets the first rule, and does not with the next report: of so many one. */
const ONE_OF = 100;

const kinds = ['bare', 'without', 'unchanged', 'with'] as const;
type Kind = (typeof kinds)[number];
/** Seconds of one measurement: by the clock, and of the processors of both this process and the database. */
interface Spent {
  readonly clock: number;
  readonly processor: number;
}

/**
 * Readings into the table, counted after their commit: with ten rules for each device, without any, and without looking at them
 * (ALR-04).
 */
export async function benchAlerts(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_alerts');
  const fleet = await seedRouters(database, DEVICES);
  const opened = await openDatabase(
    { kind: 'external', url: database.ownerUrl, serveUrl: database.serveUrl, poolSize: 4 },
    silentLog,
  );
  const deps = { database: createDatabase(opened.pool, () => {}), clock: systemClock, log: silentLog, retentionDays: 30 };
  const bare = createTelemetry(deps);
  const telemetry = createTelemetry({ ...deps, lookAt: createReadingAlerts({ clock: systemClock }) });
  await telemetry.start();
  await bare.start();
  const spent: Record<Kind, Spent[]> = { bare: [], without: [], unchanged: [], with: [] };
  const processor = () => cpuOf(process.pid) + cpuOfFamily(cluster.pid());
  // In turn, since the machine is not the same from one minute to the next; the first of each warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of kinds) {
      const writer = kind === 'bare' ? bare : telemetry;
      await setRules(database, kind === 'with' || kind === 'unchanged' ? RULES : 0);
      const isChanging = kind !== 'unchanged';
      await database.owner.query('truncate telemetry_reports');
      // Each process reads rules and routers once.
      await writeAll(writer, fleet, { round, reports: 1, isChanging });
      const before = processor();
      const clock = (await timed(() => writeAll(writer, fleet, { round, reports: REPORTS, isChanging }))) / 1_000;
      if (round > 0) spent[kind].push({ clock, processor: processor() - before });
    }
  const { rows } = await database.owner.query<{ n: number }>('select count(*)::int as n from alert_states');
  await telemetry.stop();
  await bare.stop();
  await opened.close();
  await database.close();
  printTable(
    `Readings of ${DEVICES} devices with ${RULES} rules for each`,
    [
      figure('reports durable per second, no condition changes', spent, ['unchanged', 'without'], '0.9 ×'),
      figure('the same with changes', spent, ['with', 'without'], '0.9 ×'),
      figure('no changes, next to reports no one looks at', spent, ['unchanged', 'bare']),
    ],
    [
      `Ceiling: the same reports without a rule, and without looking for rules; measured in turn, the medians of ${ROUNDS}. Processor time is that of this process and the database, for one report.`,
      `One device of ${ONE_OF} begins to meet two rules, or ends to, with each report of the line with changes; ${rows[0]!.n} conditions held at the end.`,
    ],
  );
}

function figure(
  name: string,
  spent: Record<Kind, readonly Spent[]>,
  [kind, ceiling]: readonly [Kind, Kind],
  aim?: string,
): Figure {
  const rateOf = (of: Kind) => (DEVICES * REPORTS) / median(spent[of].map(({ clock }) => clock));
  const costOf = (of: Kind) => (median(spent[of].map(({ processor }) => processor)) / (DEVICES * REPORTS)) * 1e6;
  const shown = (of: Kind) => `${Math.round(rateOf(of))}/s, ${costOf(of).toFixed(1)} µs`;
  return {
    name,
    ours: shown(kind),
    ceiling: shown(ceiling),
    ratio: times(rateOf(kind) / rateOf(ceiling), costOf(kind) / costOf(ceiling)),
    ...(aim !== undefined && { aim }),
  };
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
