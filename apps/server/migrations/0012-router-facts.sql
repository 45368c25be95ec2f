-- What routers tell that seldom changes, one row for each change: records of reports. Of the router, read through ownership intervals.
create table router_facts (
  id bigint generated always as identity primary key,
  router_id uuid not null,
  at timestamptz not null default now(),
  -- A column of `devices` that the router tells.
  fact text collate "C" not null check (fact in ('carrier', 'technology', 'firmware', 'config', 'iccid')),
  -- Empty: the router has none any more.
  value text not null
);
create index router_facts_by_router on router_facts (router_id, at);
create index router_facts_by_time on router_facts (at);

-- What is known already was told some time before now.
insert into router_facts (router_id, fact, value)
  select r.id, k.fact, left(r.reported ->> k.fact, 200)
  from routers r, (values ('carrier'), ('technology'), ('firmware'), ('config'), ('iccid')) k (fact)
  where coalesce(r.reported ->> k.fact, '') <> '';

grant select, insert, delete on router_facts to highline_serve;
