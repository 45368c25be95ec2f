-- highline: compatible since 0001
-- Alerts say where a vehicle was, whom they inform, and what rules do by themselves (docs/domains/alerts.md).

-- Where the vehicle was when the alert fired: its newest position, and the geofence it was inside of, as that was called then.
alter table alerts add column latitude double precision;
alter table alerts add column longitude double precision;
alter table alerts add column place text;

-- What a rule does by itself: the contract's `ruleAction`; null = nothing. In whose name: the actor who saved it last.
alter table alert_rules add column action jsonb;
alter table alert_rules add column action_actor jsonb;

-- 'ended': alerts that were reported together are over.
alter table alert_notices drop constraint alert_notices_kind_check;
alter table alert_notices add constraint alert_notices_kind_check check (kind in ('fired', 'escalated', 'ended')) not valid;

-- Which alerts an address gets, whatever rules name it: by severity, at which hours, and how.
create table alert_people (
  organization_id uuid not null references organizations,
  mail text collate "C" not null,
  severities text[] collate "C" not null,
  -- The contract's `hours`; null = always.
  hours jsonb,
  -- 'mail' and 'push'.
  channels text[] collate "C" not null,
  language text collate "C" not null check (language in ('en-US', 'zh-TW')),
  -- IANA name; of times in its mails.
  zone text collate "C" not null,
  updated_at timestamptz not null,
  primary key (organization_id, mail)
);

-- What rules did, or would have done, with the vehicle of an alert: one row for each alert, written when it fires. Deleted after 90 days.
create table alert_actions (
  organization_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  rule_name text not null,
  alert_id uuid not null,
  device_id uuid not null,
  serial text collate "C" not null,
  vehicle_number text not null,
  -- The contract's `ruleAction` when the alert fired.
  action jsonb not null,
  state text collate "C" not null check (state in ('waiting', 'started', 'dry-run', 'skipped')),
  -- Why it was skipped, or for what it waits.
  reason text collate "C",
  created_at timestamptz not null,
  -- When it was started, tried or skipped.
  decided_at timestamptz,
  primary key (organization_id, id)
);
create unique index alert_actions_by_alert on alert_actions (organization_id, alert_id);
create index alert_actions_waiting on alert_actions (organization_id, rule_id, created_at) where state = 'waiting';
create index alert_actions_by_time on alert_actions (organization_id, created_at desc, id desc);
create index alert_actions_of_rule on alert_actions (organization_id, rule_id, state, decided_at);
create index alert_actions_by_age on alert_actions using brin (created_at);

grant select, insert, update, delete on alert_people, alert_actions to highline_serve;

-- A browser of a person is an endpoint too: the address of its push service, with the keys of the browser as its sealed secret.
alter table webhook_endpoints drop constraint webhook_endpoints_format_check;
alter table webhook_endpoints add constraint webhook_endpoints_format_check
  check (format in ('standard', 'slack', 'teams', 'ntfy', 'pagerduty', 'opsgenie', 'push')) not valid;
-- Whose browser it is; null = it is a webhook.
alter table webhook_endpoints add column account_id uuid;
-- Of the texts of its messages.
alter table webhook_endpoints add column language text collate "C";
