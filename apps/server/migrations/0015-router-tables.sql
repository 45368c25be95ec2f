-- highline: compatible since 0001
-- What networks a vehicle has, by tables of its router (docs/domains/networks.md).

-- 'cellular', 'ethernet', 'wifi' or 'satellite': the kind of uplink that carries the traffic of a router; null = unknown.
alter table devices add column uplink_kind text collate "C";
alter table router_facts drop constraint router_facts_fact_check;
alter table router_facts add constraint router_facts_fact_check
  check (fact in ('carrier', 'technology', 'firmware', 'config', 'iccid', 'uplink_kind')) not valid;

-- The tables of instances that a router reports, one row each: as it last reported them, not their history.
create table router_tables (
  router_id uuid not null references routers on delete cascade,
  name text collate "C" not null check (name in ('uplinks', 'wifi', 'clients')),
  read_at timestamptz not null,
  content jsonb not null,
  primary key (router_id, name)
) with (fillfactor = 70);
-- Names and addresses of people's devices are deleted after 30 days.
create index router_tables_by_age on router_tables (read_at) where name = 'clients';

grant select, insert, update, delete on router_tables to highline_serve;
