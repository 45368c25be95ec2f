/**
 * A schema of views for those who are limited to groups alone, and one for those with tags too: without tags a list of devices reads an index, and not
 * each device.
 */
export const limitedSchemas = ['limited', 'limited_by_group'] as const;
export type LimitedSchema = (typeof limitedSchemas)[number];

/** The rows of a table that a limited person may see and change. */
interface LimitedTable {
  readonly table: string;
  /** Selects all columns of the table; over one table only, so that the view can be written. */
  readonly rows: string;
}

// Each in a select of its own, which is run once for a statement and not for each row.
const organization = `(select current_setting('highline.organization')::uuid)`;
const account = `(select current_setting('highline.account')::uuid)`;
const groups = `(select current_setting('highline.groups')::text[])::text[]`;
const tags = `(select current_setting('highline.tags')::text[])::text[]`;

const where = (table: string, condition: string): LimitedTable => ({
  table,
  rows: `select t.* from public.${table} t where ${condition}`,
});
const ofOrganization = `t.organization_id = ${organization}`;
const hasTag = (of: string) => `${of}.tags <> '{}' and ${of}.tags && ${tags}`;

/** Of a device that the person sees. */
const ofDevice = (table: string) =>
  where(
    table,
    `${ofOrganization} and exists (select from limited.devices d where d.organization_id = t.organization_id and d.id = t.device_id)`,
  );
/** Of a device, without its organization. */
const ofDeviceId = (table: string) => where(table, 'exists (select from limited.devices d where d.id = t.device_id)');
/** Of the present router of a device. */
const ofRouter = (table: string) =>
  where(table, 'exists (select from limited.devices d where d.router_id = t.router_id and d.archived_at is null)');
/** Of a router that a device has or had; statements read the times in which it was the device's. */
const ofHistory = (table: string) =>
  where(table, 'exists (select from limited.router_ownership o where o.router_id = t.router_id)');
/** The same for everyone of the organization: nothing of a device or a group is in it. */
const shared = (table: string) => where(table, ofOrganization);
/** Of the person alone. */
const own = (table: string, column = 'account_id') => where(table, `t.${column} = ${account}`);

/**
 * What acts for the person later: made under a limit that names nothing which the present one does not. Of an earlier, wider one it may name groups and
 * devices that the person does not see any more.
 */
const ofAuthor = (table: string, author: string) => {
  const within = (names: string, now: string) =>
    `array(select jsonb_array_elements_text(t.${author} -> 'limit' -> '${names}')) <@ ${now}`;
  return where(
    table,
    `${ofOrganization} and t.${author} ->> 'accountId' = ${account}::text and t.${author} ? 'limit'
      and ${within('groups', groups)} and ${within('tags', tags)}`,
  );
};

/** With tags, devices are counted. */
const counted = `select d.organization_id, d.main_account_id, d.group_key, d.carrier,
    public.counted_presence(d.presence, d.presence_since, d.ignition, d.is_planned) as presence, 1 as devices, false as is_new
  from limited.devices d where d.archived_at is null`;

/**
 * What a limited person with tags sees of each table (IAM-04, decisions/0149). A table that is not listed cannot be read or written for one.
 */
const limitedTables: readonly LimitedTable[] = [
  // Devices, and what hangs on them.
  where('devices', `${ofOrganization} and (t.group_key = any (${groups}) or (${hasTag('t')}))`),
  where(
    'groups',
    `${ofOrganization} and (t.key = any (${groups}) or (${tags} <> '{}' and exists (
      select from public.devices d where d.organization_id = t.organization_id and d.group_key = t.key and d.archived_at is null and ${hasTag('d')})))`,
  ),
  { table: 'device_counts', rows: counted },
  ofDevice('routers'),
  ofDevice('router_ownership'),
  ...[
    'device_properties',
    'device_diagnoses',
    'router_settings_states',
    'outages',
    'alerts',
    'sent_commands',
    'tool_runs',
    'esim_profiles',
  ].map(ofDevice),
  ...['rollout_targets', 'remote_sessions', 'usage_days', 'usage_cycles', 'client_days', 'geofence_events'].map(ofDevice),
  ...['router_backups', 'router_backup_states'].map(ofDevice),
  ...['device_identifiers', 'device_health'].map(ofDeviceId),
  ...[
    'router_contacts',
    'router_tables',
    'router_alarms',
    'router_rejections',
    'router_positions',
    'client_counters',
    'boot_choices',
  ].map(ofRouter),
  ...['telemetry', 'telemetry_reports', 'telemetry_hours', 'telemetry_days', 'connectivity', 'router_events', 'router_facts'].map(
    ofHistory,
  ),
  ...['positions', 'position_segments', 'open_position_segments', 'position_faults', 'usage_heads', 'usage_segments'].map(
    ofHistory,
  ),
  ...['open_usage_segments', 'usage_readings', 'geofence_states', 'coverage_slots'].map(ofHistory),
  where(
    'tool_files',
    `${ofOrganization} and exists (select from limited.tool_runs r where r.organization_id = t.organization_id and r.id = t.run_id)`,
  ),
  where('audit_devices', `t.chain_id = ${organization} and exists (select from limited.devices d where d.id = t.device_id)`),
  where(
    'audit_entries',
    // Not those that also name devices of others.
    `t.chain_id = ${organization} and exists (select from limited.audit_devices d where d.chain_id = t.chain_id and d.seq = t.seq)
      and not exists (select from public.audit_devices o where o.chain_id = t.chain_id and o.seq = t.seq
        and not exists (select from limited.devices d where d.id = o.device_id))`,
  ),
  // What a change adds to the chain.
  where('audit_heads', `t.chain_id = ${organization}`),
  shared('outbox'),
  where('idempotent_calls', 'true'),
  where(
    'usage_sims',
    // Now or before in a device that the person sees.
    `${ofOrganization} and (
      exists (select from limited.devices d where d.organization_id = t.organization_id and d.iccid = t.iccid)
      or exists (select from limited.usage_cycles c where c.organization_id = t.organization_id and c.iccid = t.iccid))`,
  ),
  where(
    'bindings',
    `${ofOrganization} and exists (select from limited.groups g where g.organization_id = t.organization_id and g.key = t.group_key)`,
  ),
  {
    table: 'usage_totals',
    rows: `select d.organization_id, d.day, sum(d.sent) as sent, sum(d.received) as received from limited.usage_days d group by 1, 2`,
  },
  // Kept for whole organizations: what is read from it has a way without.
  where('online_hours', 'false'),

  // What acts for the person later.
  ofAuthor('bulk_jobs', 'actor'),
  where(
    'bulk_job_items',
    `exists (select from limited.bulk_jobs j where j.id = t.job_id)
      and exists (select from limited.devices d where d.organization_id = t.organization_id and d.id = t.device_id)`,
  ),
  ofAuthor('summaries', 'author'),
  where('summary_runs', 'exists (select from limited.summaries s where s.id = t.summary_id)'),
  where('mail_files', 'exists (select from limited.summary_runs r where r.file_id = t.id)'),
  // Whether the person's own recipients have confirmed, or reject mails.
  ...['summary_addresses', 'summary_bounces'].map((table) =>
    where(table, `t.owner_id = ${organization} and exists (select from limited.summaries s where t.mail = any (s.recipients))`),
  ),
  // No matter who made them: they show devices that the person sees. Of a group that is seen for the tags of some devices, the person's own: it shows these.
  where(
    'links',
    `${ofOrganization} and (t.group_key = any (${groups})
      or exists (select from limited.devices d where d.organization_id = t.organization_id and d.id = t.device_id)
      or t.author ->> 'accountId' = ${account}::text
        and exists (select from limited.groups g where g.organization_id = t.organization_id and g.key = t.group_key))`,
  ),

  // Of the organization, without a device in it.
  ...[
    'custom_properties',
    'custom_commands',
    'geofences',
    'usage_zones',
    'usage_plans',
    'serving_cells',
    'report_settings',
    'organization_figures',
    'config_files',
    'config_versions',
    'client_settings',
    'client_rules',
    'recording_settings',
    'tool_targets',
    'remote_calls',
    'router_backup_settings',
  ].map(shared),
  where('carrier_colors', `t.owner_id = ${organization}`),
  where('organizations', `t.id = ${organization}`),
  where('main_accounts', `exists (select from limited.organizations o where o.main_account_id = t.id)`),
  where('firmware', `exists (select from limited.organizations o where o.main_account_id = t.main_account_id)`),
  where('router_models', `exists (select from limited.organizations o where o.main_account_id = t.main_account_id)`),
  where('telemetry_parameters', 'true'),
  ...['telemetry_rollup', 'telemetry_late', 'rate_windows', 'recorded_calls', 'remote_nodes', 'nodes'].map((table) =>
    where(table, 'true'),
  ),

  // Of the person.
  own('accounts', 'id'),
  own('sessions'),
  // What the person's API keys may do is read again in each transaction.
  ...['account_limits', 'account_limit_groups', 'account_own_roles'].map((table) => own(table)),
  where('own_roles', `exists (select from public.account_own_roles h where h.role_id = t.id and h.account_id = ${account})`),
  where('own_role_groups', 'exists (select from limited.own_roles r where r.id = t.role_id)'),
  own('group_controls'),
  where('api_keys', `${account} in (t.made_by, t.previous_made_by)`),
  // Each call reads what its session has entered.
  own('visits'),
  shared('approval_policies'),
  where('api_key_groups', 'exists (select from limited.api_keys k where k.id = t.key_id)'),
  own('saved_views'),
  own('default_views'),
];

/** What differs for those who are limited to groups alone. */
const byGroup: ReadonlyMap<string, LimitedTable> = new Map(
  [
    where('devices', `${ofOrganization} and t.group_key = any (${groups})`),
    where('groups', `${ofOrganization} and t.key = any (${groups})`),
    where('device_counts', `${ofOrganization} and t.group_key = any (${groups})`),
  ].map((rule) => [rule.table, rule]),
);

/** The rules of a schema, in the order in which its views need each other. */
export function rulesOf(schema: LimitedSchema): LimitedTable[] {
  if (schema === 'limited') return [...limitedTables];
  return limitedTables.map((rule) => {
    const { table, rows } = byGroup.get(rule.table) ?? rule;
    return { table, rows: rows.replaceAll('limited.', `${schema}.`) };
  });
}
