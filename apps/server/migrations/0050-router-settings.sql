-- highline: compatible since 0001
-- What routers should be set to, by level, and what they report of it (docs/domains/router-settings.md).

create table router_settings (
  id uuid primary key,
  organization_id uuid not null references organizations,
  -- One of both, or neither for the organization itself.
  group_key text collate "C",
  device_id uuid,
  version integer not null,
  -- By path: {"value": text with variables}, or {"secret": id of the text in sealed}.
  content jsonb not null,
  -- The secrets by their ids, as JSON, sealed for the id of this row.
  sealed bytea,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  -- Null: it counts. Former versions are deleted after a year.
  replaced_at timestamptz,
  check (group_key is null or device_id is null),
  foreign key (organization_id, group_key) references groups (organization_id, key) on delete cascade,
  foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade
);
create unique index router_settings_current
  on router_settings (organization_id, coalesce(device_id::text, ''), coalesce(group_key, '')) where replaced_at is null;
create index router_settings_of_group on router_settings (organization_id, group_key) where group_key is not null;
create index router_settings_of_device on router_settings (organization_id, device_id) where device_id is not null;
create index router_settings_replaced on router_settings (replaced_at) where replaced_at is not null;

-- What the router of a device reported of its settings when it was last read.
create table router_settings_states (
  organization_id uuid not null,
  device_id uuid not null,
  -- What another router confirmed says nothing of this one.
  router_id uuid not null,
  state text collate "C" not null check (state in ('as-set', 'differs', 'incomplete', 'not-readable')),
  -- By path: its state, what was desired, what was reported, and since when it differs.
  content jsonb not null,
  checked_at timestamptz not null,
  primary key (organization_id, device_id),
  foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade
);
create index router_settings_states_of_router on router_settings_states (router_id, checked_at);

grant select, insert, update, delete on router_settings, router_settings_states to highline_serve;
