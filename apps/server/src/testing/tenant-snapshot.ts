import type { Client } from 'pg';
import type { Tenant } from './tenants.ts';

/** Tables without a column that leads to a tenant. A new one needs a reason here, or such a column. */
const ofNoTenant: Readonly<Record<string, string>> = {
  coverage_progress: 'how far a job of the installation is',
  device_health_pass: 'how far a job of the installation is',
  diagnosis_pass: 'how far a job of the installation is',
  outage_progress: 'how far a job of the installation is',
  directory_membership: 'cells of the installation',
  directory_names: 'hashes of names, for all cells',
  directory_updates: 'hashes of names, for all cells',
  idempotent_calls: 'answers of the caller, by its account',
  installation: 'settings of the installation',
  installation_keys: 'keys of the installation',
  nodes: 'processes',
  passkey_challenges: 'names no one: hashes of challenges that were answered',
  rate_windows: 'counts attempts of the caller',
  recorded_calls: 'ids of calls between processes',
  remote_nodes: 'processes',
  schema_migrations: 'versions of the schema',
  setup_links: 'before the first main account',
  shared_jobs: 'when jobs of the installation are due',
  telemetry_late: 'hours that a job counts again',
  telemetry_parameters: 'names and units for all routers',
  telemetry_rollup: 'how far a job of the installation is',
  telemetry_sink: 'which process sends',
  telemetry_sink_batches: 'readings on their way out',
  write_probes: 'probes of processes',
};

/** Tables that jobs write on their own; what a call does to a tenant shows in the others. */
const writtenByJobs: Readonly<Record<string, string>> = {
  mail_files: 'files of mails',
  outages: 'found by a job',
  serving_cells: 'found by a job',
  carrier_colors: 'given when carriers are read',
  summary_addresses: 'addresses that a job wrote to',
  summary_bounces: 'addresses that mail servers rejected, counted as mails are delivered',
  summary_runs: 'what is due, done by a job',
  device_diagnoses: 'found by a job',
  notification_deliveries: 'which mails were written for an event',
  notification_events: 'mails about what the calls of the tenant itself did',
  notification_throttles: 'times of mails',
  online_hours: 'summed up by a job',
  online_shares: 'measured every five minutes',
  organization_figures: 'counted by a job',
  shared_losses: 'found by a job',
  outbox: 'read and removed by every process',
};

/** Columns that jobs, and reads of the tenant itself, write: times of looks, leases, counts of attempts, measures. */
const volatile = [
  'computed_until',
  'due_at',
  'health',
  'last_used_address',
  'last_used_at',
  'leased_until',
  'looked_at',
  'next_at',
  'next_attempt_at',
  'notified_at',
  'worked_at',
];

/** Rows that jobs write into a table with others. */
const leftOut: Readonly<Record<string, string>> = { mails: "kind <> 'notification'" };

/** How the rows of a table belong to a tenant: by the first of these columns that it has. */
const owners: readonly (readonly [string, string])[] = [
  ['chain_id', 'chain_id in ($1, $2)'],
  ['organization_id', 'organization_id = $1'],
  ['main_account_id', 'main_account_id = $2'],
  ['account_id', 'account_id in (select id from accounts where main_account_id = $2)'],
  ['router_id', 'router_id in (select id from routers where main_account_id = $2)'],
  ['device_id', 'device_id in (select id from devices where organization_id = $1)'],
];

/**
 * Reads all data of a tenant as one text, which a rejected call must leave unchanged: its rows of every table of the database, and those of its
 * main account itself.
 * @throws Error for a table that leads to no tenant and is not named above
 */
export async function createSnapshots(client: Client): Promise<(tenant: Tenant) => Promise<string>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.table_name as name, array_agg(c.column_name::text) as columns
     from information_schema.columns c join pg_class k on k.oid = format('public.%I', c.table_name)::regclass
     where c.table_schema = 'public' and k.relkind in ('r', 'p') and not k.relispartition group by c.table_name order by c.table_name`,
  );
  const named = new Set(Object.keys(ofNoTenant));
  const parts = rows.flatMap(({ name, columns }) => {
    if (Object.hasOwn(writtenByJobs, name) || named.delete(name)) return [];
    const owner = owners.find(([column]) => columns.includes(column));
    if (owner === undefined && name !== 'main_accounts')
      throw new Error(`Name how rows of ${name} belong to a tenant, or why they do not.`);
    const isOfMain = owner?.[0] === 'organization_id' && columns.includes('main_account_id');
    const ofMain = isOfMain ? ' or (organization_id is null and main_account_id = $2)' : '';
    const condition = `(${owner?.[1] ?? 'id = $2'}${ofMain})`;
    return [
      `select '${name} ' || (to_jsonb(t) - '{${volatile.join(',')}}'::text[])::text as line
      from ${name} t where ${condition} and ${leftOut[name] ?? 'true'}`,
    ];
  });
  if (named.size > 0) throw new Error(`These tables are gone: ${[...named].join(', ')}`);
  const text = `select coalesce(string_agg(line, E'\\n' order by line), '') as lines from (${parts.join(' union all ')}) lines`;
  return async ({ organizationId, mainAccountId }) => {
    const { rows: found } = await client.query<{ lines: string }>(text, [organizationId, mainAccountId]);
    return found[0]!.lines;
  };
}
