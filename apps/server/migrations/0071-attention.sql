-- What the overview needs to say which devices and rollouts need attention (docs/decisions/0047-needs-attention.md).

-- The router's own message of a failure, next to our code for it.
alter table rollout_targets add column detail text;

-- Whether the last signal strength is weak. Of its own, because an index on the strength itself would change with every report.
alter table router_contacts add column is_weak boolean not null default false;
update router_contacts set is_weak = true where rssi < -95;

-- How many devices of an organization were online at a moment, every five minutes, for eight days.
create table online_shares (
  organization_id uuid not null,
  main_account_id uuid not null,
  at timestamptz not null,
  online integer not null check (online >= 0),
  devices integer not null check (devices >= online),
  primary key (organization_id, at)
);
create index online_shares_of_main on online_shares (main_account_id, at) include (online, devices);
create index online_shares_by_age on online_shares (at);

grant select, insert, delete on online_shares to highline_serve;
