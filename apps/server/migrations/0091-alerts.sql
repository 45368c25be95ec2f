-- Alerts (docs/decisions/0056-alerts.md): rules of organizations, conditions that hold now with their timers, and alerts.
create table alert_rules (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  name text not null,
  is_enabled boolean not null,
  severity text collate "C" not null check (severity in ('critical', 'warning', 'info')),
  kind text collate "C" not null,
  -- The contract's `condition`.
  condition jsonb not null,
  -- The condition must hold for this many seconds.
  for_seconds integer not null check (for_seconds >= 0),
  scope_kind text collate "C" not null check (scope_kind in ('all', 'group', 'tag', 'view')),
  -- Key of the group, the tag, or the id of the view.
  scope_key text collate "C",
  -- The contract's `hours`; null = always.
  hours jsonb,
  -- The contract's `channels`.
  channels jsonb not null,
  version integer not null default 1,
  -- Counts changes of the condition or the devices: conditions that an older revision found are dropped.
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index alert_rules_by_name on alert_rules (organization_id, name);
create index alert_rules_enabled on alert_rules (kind, organization_id) where is_enabled;

-- Counts changes of an organization's rules: processes keep the rules in memory and compare this number.
create table alert_rule_versions (
  organization_id uuid primary key,
  version bigint not null
);

-- A condition that holds now: written where its value is stored, and claimed by a job when it is due. One row for each rule and device.
create table alert_states (
  organization_id uuid not null,
  rule_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  kind text collate "C" not null,
  revision integer not null,
  since timestamptz not null,
  -- When the alert fires, unless the condition ends before.
  due_at timestamptz not null,
  -- In the unit of its reading.
  value double precision,
  -- The condition has ended: the job resolves the alert and deletes the row.
  cleared_at timestamptz,
  resolution text collate "C" not null default 'cleared',
  -- Null until it fired.
  alert_id uuid,
  primary key (organization_id, rule_id, device_id)
) with (fillfactor = 80);
create index alert_states_due on alert_states (due_at) where alert_id is null and cleared_at is null;
create index alert_states_cleared on alert_states (cleared_at) where cleared_at is not null;
create index alert_states_by_router on alert_states (router_id);
create index alert_states_by_device on alert_states (device_id);

create table alerts (
  organization_id uuid not null,
  id uuid not null,
  main_account_id uuid not null,
  rule_id uuid not null,
  -- Name, severity and kind of the rule, and what the device was called, when it fired.
  rule_name text not null,
  severity text collate "C" not null,
  kind text collate "C" not null,
  reading text collate "C",
  device_id uuid not null,
  serial text collate "C" not null,
  vehicle_number text not null,
  group_key text collate "C" not null,
  carrier text,
  state text collate "C" not null check (state in ('firing', 'acknowledged', 'resolved')),
  value double precision,
  since timestamptz not null,
  fired_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by text not null default '',
  note text not null default '',
  resolved_at timestamptz,
  resolution text collate "C",
  -- Alerts of one rule that fired together.
  storm_id uuid,
  primary key (organization_id, id)
);
create unique index alerts_open on alerts (organization_id, rule_id, device_id) where state <> 'resolved';
create index alerts_by_time on alerts (organization_id, fired_at desc, id desc);
create index alerts_of_main on alerts (main_account_id, fired_at desc, id desc);
create index alerts_open_of_main on alerts (main_account_id, state, severity) where state <> 'resolved';
create index alerts_open_by_time on alerts (organization_id, fired_at desc, id desc) where state <> 'resolved';
create index alerts_of_device on alerts (organization_id, device_id, fired_at desc);
create index alerts_of_rule on alerts (organization_id, rule_id, fired_at desc, id desc);
create index alerts_of_storm on alerts (organization_id, storm_id, fired_at desc, id desc) where storm_id is not null;
create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;

grant select, insert, update, delete on alert_rules, alert_rule_versions, alert_states, alerts to highline_serve;
