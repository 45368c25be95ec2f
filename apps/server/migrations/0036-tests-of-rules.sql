-- highline: compatible since 0001
-- Tests that alert rules run, and which addresses may be tested (docs/domains/tools.md).

-- The alert rule that ran it; null = a user or an API key.
alter table tool_runs add column rule_id uuid;
-- Of a test that ended: whether it found what it looks for, and in how many milliseconds.
alter table tool_runs add column has_passed boolean;
alter table tool_runs add column milliseconds double precision;
alter table tool_runs drop constraint tool_runs_cause_check;
alter table tool_runs add constraint tool_runs_cause_check check
  (cause in ('unsupported', 'busy', 'rejected', 'interrupted', 'failed', 'offline', 'no-end', 'not-allowed')) not valid;

-- When rules test a device next. A row goes with its rule, and when the rule no longer watches the device.
create table alert_tests (
  organization_id uuid not null,
  rule_id uuid not null,
  device_id uuid not null,
  -- For an alert: once. Otherwise at the interval of the rule.
  is_once boolean not null,
  due_at timestamptz not null,
  -- Of the rule: after a change the device is tested again.
  revision integer not null,
  -- The last tests that it ran: while one runs, the one before counts.
  run_id uuid,
  former_run_id uuid,
  primary key (organization_id, rule_id, device_id, is_once)
);
create index alert_tests_due on alert_tests (organization_id, due_at);

-- Which addresses the routers of an organization may test; no row = any.
create table tool_targets (
  organization_id uuid primary key,
  allow text collate "C" not null check (allow in ('any', 'public', 'listed')),
  ranges text[] not null
);

grant select, insert, update, delete on alert_tests, tool_targets to highline_serve;
