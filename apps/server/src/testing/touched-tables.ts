import type { Client } from 'pg';
import { mirroredNames } from '../domains/router-state/index.ts';

/**
 * One transaction of the database under test, by what it wrote: `verb table`, sorted. An update of columns that routers report and
 * nothing else is `report routers` or `report devices`.
 */
export interface Transaction {
  /** The `xmin` of the rows it wrote. */
  readonly xmin: string;
  readonly wrote: readonly string[];
}

/** Watches every table of a test's database, so that no write is missed. */
export interface TableWatch {
  /** The transactions since the last call, each with its writes. */
  take(): Promise<Transaction[]>;
}

/**
 * Writes without an audit entry: internal counters and timestamps, none of which is a user's change. The engines of rollouts and
 * eSIMs advance targets and profiles by themselves, and mails are delivered; the user actions that started both have entries.
 */
const machinery: ReadonlySet<string> = new Set([
  'insert outbox',
  'delete outbox',
  'insert rate_windows',
  'update rate_windows',
  'delete rate_windows',
  'update sessions',
  'update rollout_targets',
  'update esim_profiles',
  'insert router_events',
  'update mails',
  // How often events of a kind are mailed.
  'insert notification_throttles',
  // The delivery drops mails whose link was used or replaced.
  'delete mails',
  // Routers that connect, report and disconnect while a call is answered.
  'report routers',
  'report devices',
  'insert router_contacts',
  'update router_contacts',
  'insert connectivity',
  'insert router_facts',
  // SIMs are matched with data plans after a change of plans, and what they used is compared with allowances.
  'update usage_sims',
  'insert usage_matching',
  'delete usage_matching',
  'insert usage_plan_events',
  'insert nodes',
  'update nodes',
  'delete nodes',
  // Totals that a trigger of the devices keeps, and what jobs make out of reports.
  'insert device_counts',
  'delete device_counts',
  'insert device_identifiers',
  'delete device_identifiers',
  'insert organization_figures',
  'update organization_figures',
  // Progress of jobs: what they change has its entry.
  'update bulk_jobs',
  'insert bulk_job_items',
  'update bulk_job_items',
  'insert online_shares',
  'delete online_shares',
  'insert online_hours',
  'update online_hours',
  'delete online_hours',
  'insert device_diagnoses',
  'update device_diagnoses',
  'delete device_diagnoses',
  'update diagnosis_pass',
  'insert outages',
  'insert serving_cells',
  'update serving_cells',
  'delete serving_cells',
  // What routers report of their settings when they connect, and while someone looks.
  'insert router_settings_states',
  'update router_settings_states',
  'delete router_settings_states',
  // Colours of carriers that are read for the first time.
  'insert carrier_colors',
  'update outages',
  'delete outages',
  'update outage_progress',
  'insert shared_losses',
  'update shared_losses',
  'delete shared_losses',
  'insert device_health',
  'update device_health',
  'delete device_health',
  'update device_health_pass',
  'update telemetry_rollup',
  'insert telemetry_hours',
  'insert telemetry_days',
  'update coverage_progress',
  'insert coverage_due',
  'delete coverage_due',
  'insert router_tables',
  'update router_tables',
  'delete router_tables',
  'insert remote_nodes',
  'update remote_nodes',
  'delete remote_nodes',
  'insert recorded_calls',
  'insert idempotent_calls',
  'update idempotent_calls',
  'delete idempotent_calls',
  'delete recorded_calls',
]);

/** The job that mails notifications: it only marks events as sent. The events already have their entries. */
const isRecorded = (wrote: readonly string[]) => wrote.includes('update notification_events');

/** Whether a transaction changed more than the machinery does by itself. */
export const isChange = (wrote: readonly string[]) => !isRecorded(wrote) && wrote.some((what) => !machinery.has(what));

/** Columns that presence and telemetry write whenever a router has something to report, whatever is called meanwhile. */
const reportedColumns: Readonly<Record<string, readonly string[]>> = {
  routers: [
    'presence',
    'presence_since',
    'presence_reason',
    'first_online_at',
    'held_by',
    'connection_epoch',
    'reported',
    'clock_skew_ms',
  ],
  // `up_since` is computed out of them.
  devices: [...mirroredNames, 'up_since', 'health'],
};

/** @param owner connected as the owner of the database under test */
export async function watchTables(owner: Client): Promise<TableWatch> {
  await owner.query(`
    create table touched (xid xid8 not null, what text not null, primary key (xid, what));
    create function touch() returns trigger language plpgsql security definer as $$ begin
      insert into touched values (pg_current_xact_id(), case
        when tg_op = 'UPDATE' and to_jsonb(old) is distinct from to_jsonb(new)
          and to_jsonb(old) - tg_argv[1]::text[] = to_jsonb(new) - tg_argv[1]::text[] then 'REPORT' else tg_op
        end || ' ' || tg_argv[0]) on conflict do nothing;
      return null;
    end $$;`);
  // The server writes its probe, and when its jobs are due, every few seconds, independent of calls.
  const { rows } = await owner.query<{ name: string }>(`select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('touched', 'schema_migrations', 'shared_jobs', 'write_probes')`);
  // One by one, each in a separate transaction: jobs of the server lock several tables, in another order.
  for (const { name } of rows)
    await owner.query(
      `create trigger touch after insert or update or delete on ${name} for each row execute function touch('${name}', '{${(reportedColumns[name] ?? []).join()}}')`,
    );
  return {
    async take() {
      const { rows } = await owner.query<Transaction>(`
        with taken as (delete from touched returning xid, what)
        select xid::xid::text as xmin, array_agg(lower(what) order by what) as wrote from taken group by xid order by xid`);
      return rows;
    },
  };
}
