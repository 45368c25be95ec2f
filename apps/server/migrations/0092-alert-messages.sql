-- Messages about alerts (docs/decisions/0056-alerts.md): what waits to be sent, and the throttle of each rule.
create table alert_notices (
  organization_id uuid not null,
  alert_id uuid not null,
  -- 'fired', or 'escalated' when no one has acknowledged it by then.
  kind text collate "C" not null check (kind in ('fired', 'escalated')),
  rule_id uuid not null,
  due_at timestamptz not null,
  primary key (organization_id, alert_id, kind)
);
create index alert_notices_due on alert_notices (due_at);
create index alert_notices_of_rule on alert_notices (organization_id, rule_id, kind, due_at);

create table alert_bursts (
  organization_id uuid not null,
  rule_id uuid not null,
  kind text collate "C" not null,
  -- No message before then, and the length of that pause.
  next_at timestamptz not null,
  seconds integer not null,
  -- The alerts that fired together last; further ones belong to them for a while.
  storm_id uuid,
  storm_at timestamptz,
  primary key (organization_id, rule_id, kind)
);
create index alert_bursts_by_age on alert_bursts (next_at);

grant select, insert, update, delete on alert_notices, alert_bursts to highline_serve;
