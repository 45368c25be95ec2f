-- Tables of the first house. Ids come from the program (uuid v7); key columns compare as bytes (COLLATE "C").
-- Every key of a tenant's table begins with the organization; what must be unique over all tenants has a table of its own.
create extension if not exists pg_trgm;

-- Facts about this installation: its id, whether a demo filled it, when its schema came.
create table installation (
  key text collate "C" primary key,
  value jsonb not null
);

create table main_accounts (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table organizations (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  name text not null,
  phone text not null default '',
  address text not null default '',
  description text not null default '',
  tags text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index organizations_by_name on organizations (main_account_id, name collate "C", id) where deleted_at is null;

create table accounts (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  -- Second segment of the account's first role that is not the main account's; null for the main account's people.
  organization_id uuid references organizations,
  email text collate "C" not null unique,
  name text not null,
  -- PHC string of argon2id; null until a password was set.
  password_hash text,
  -- Strings `r.{org}.{role}` (AUTH-07).
  roles text[] not null default '{}',
  -- The account is a contact of its organization ("contacter").
  is_contact boolean not null default false,
  custom_data jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index accounts_by_organization on accounts (organization_id, email) where organization_id is not null;
create index accounts_by_main_account on accounts (main_account_id, email);

create table sessions (
  -- SHA-256 of the bearer; the bearer itself is stored nowhere.
  bearer_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null
);
create index sessions_by_account on sessions (account_id);
create index sessions_by_expiry on sessions (expires_at);

-- One-time links sent by mail.
create table mailed_links (
  secret_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  purpose text collate "C" not null check (purpose in ('reset-password')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mailed_links_by_expiry on mailed_links (expires_at);

-- Fixed windows of rate limits; a row is worthless once its window ended.
create table rate_windows (
  key text collate "C" primary key,
  hits integer not null,
  ends_at timestamptz not null
);
create index rate_windows_by_end on rate_windows (ends_at);

create table groups (
  organization_id uuid not null references organizations,
  -- 'default+group+id' for the default group, else a uuid as text.
  key text collate "C" not null,
  name text not null,
  description text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, key)
);
create unique index groups_by_name on groups (organization_id, name collate "C") include (key);

-- The main account's inventory: every router it sells, and how that router was last seen.
create table routers (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  serial text collate "C" not null unique,
  -- 12 uppercase hex digits.
  mac text collate "C" not null unique,
  model text not null default '',
  endpoint_id text collate "C" not null unique,
  -- SHA-256 of the secret in the router's path.
  secret_hash bytea not null unique,
  previous_secret_hash bytea unique,
  previous_secret_until timestamptz,
  -- The device that claims it; both or neither.
  organization_id uuid references organizations,
  device_id uuid,
  presence text collate "C" not null default 'offline' check (presence in ('online', 'offline', 'unknown')),
  presence_since timestamptz,
  presence_reason text,
  last_seen_at timestamptz,
  clock_skew_ms integer,
  -- What the router last told of itself: the columns of `devices` that come from it.
  reported jsonb not null default '{}',
  created_at timestamptz not null default now(),
  check ((organization_id is null) = (device_id is null))
);
create index routers_by_main_account on routers (main_account_id, serial, id);
create index routers_by_mac on routers (main_account_id, mac, id);
create index routers_by_model on routers (main_account_id, model collate "C", serial, id);
create index routers_by_organization on routers (main_account_id, organization_id, serial, id);
create index routers_by_state on routers (main_account_id, presence, serial, id);
create index routers_by_age on routers (main_account_id, id);
create index routers_by_presence on routers (presence) where presence <> 'offline';
create index routers_serial_search on routers using gin (serial gin_trgm_ops);
create index routers_mac_search on routers using gin (mac gin_trgm_ops);

-- Who owned a router when; the history of a router is read through these intervals.
create table router_ownership (
  router_id uuid not null,
  owned_from timestamptz not null,
  owned_until timestamptz,
  organization_id uuid not null,
  device_id uuid not null,
  primary key (router_id, owned_from)
);

-- An organization's record of a router. Columns below `version` are told by the router (DEV-09) and projected here for the lists.
create table devices (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  router_id uuid not null,
  serial text collate "C" not null,
  mac text collate "C" not null,
  group_key text collate "C" not null,
  vehicle_number text collate "C" not null default '',
  note text collate "C" not null default '',
  -- First and last day of the subscription; both or neither.
  started_on date,
  expires_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  version integer not null default 1,
  presence text collate "C" not null default 'offline' check (presence in ('online', 'offline', 'unknown')),
  presence_since timestamptz,
  presence_reason text,
  last_seen_at timestamptz,
  model text collate "C",
  hardware_version text collate "C",
  firmware text collate "C",
  config text collate "C",
  booted_at timestamptz,
  -- A router that cannot be reached has no uptime.
  up_since timestamptz generated always as (case when presence = 'online' then booted_at end) stored,
  carrier text collate "C",
  technology text collate "C",
  imei text collate "C",
  imsi text collate "C",
  iccid text collate "C",
  mtn text collate "C",
  eid text collate "C",
  rssi real,
  primary key (organization_id, id),
  foreign key (organization_id, group_key) references groups (organization_id, key),
  check ((started_on is null) = (expires_on is null))
) with (fillfactor = 85);
-- A router is one live device at most.
create unique index devices_by_router on devices (router_id) where archived_at is null;
create index devices_archived on devices (archived_at) where archived_at is not null;
-- A main account names a device without naming its organization.
create index devices_by_id on devices (id);
-- One index per column an organization sorts or searches by; ties are broken by the serial number. Each also holds what a jump to a page
-- and the counts beside it (how many, how many online) need, so that neither touches the table.
create index devices_by_serial on devices (organization_id, serial, id) where archived_at is null;
create index devices_by_vehicle on devices (organization_id, vehicle_number, serial, id) include (presence) where archived_at is null;
create index devices_by_model on devices (organization_id, model, serial, id) where archived_at is null;
create index devices_by_uptime on devices (organization_id, up_since, id) where archived_at is null;
create index devices_by_group on devices (organization_id, group_key, serial, id) include (presence) where archived_at is null;
create index devices_by_firmware on devices (organization_id, firmware, serial, id) where archived_at is null;
create index devices_by_config on devices (organization_id, config, serial, id) include (presence) where archived_at is null;
create index devices_by_carrier on devices (organization_id, carrier, presence, serial, id) where archived_at is null;
create index devices_by_presence on devices (organization_id, presence, serial, id) where archived_at is null;
create index devices_by_expiry on devices (organization_id, expires_on, serial, id) include (started_on, presence) where archived_at is null;
-- What a main account sorts all of its devices by (OGL-01), and counts them by.
create index devices_of_main_by_serial on devices (main_account_id, serial, id)
  include (organization_id, presence) where archived_at is null;
create index devices_of_main_by_expiry on devices (main_account_id, expires_on, serial, id)
  include (organization_id, started_on, presence) where archived_at is null;
create index devices_of_main_by_model on devices (main_account_id, model, serial, id) include (organization_id) where archived_at is null;
create index devices_of_main_by_carrier on devices (main_account_id, carrier, presence) where archived_at is null;
create index devices_serial_search on devices using gin (serial gin_trgm_ops) where archived_at is null;
create index devices_vehicle_search on devices using gin (vehicle_number gin_trgm_ops) where archived_at is null;
create index devices_config_search on devices using gin (config gin_trgm_ops) where archived_at is null;

-- Time series, partitioned by day; partitions come and go through the two functions below.
create table telemetry_parameters (
  id smallint primary key,
  name text collate "C" not null unique,
  unit text not null
);
insert into telemetry_parameters (id, name, unit) values
  (1, 'rssi', 'dBm'), (2, 'rsrp', 'dBm'), (3, 'rsrq', 'dB'), (4, 'temperature', '°C'),
  (5, 'voltage', 'V'), (6, 'bytes_sent', 'B'), (7, 'bytes_received', 'B'), (8, 'battery', '%');

create table telemetry (
  router_id uuid not null,
  at timestamptz not null,
  parameter smallint not null,
  value double precision not null
) partition by range (at);
create index telemetry_by_router on telemetry (router_id, parameter, at);

create table connectivity (
  router_id uuid not null,
  at timestamptz not null,
  kind text collate "C" not null,
  reason text not null
) partition by range (at);
create index connectivity_by_router on connectivity (router_id, at);

-- The serving role cannot create or drop tables; it may ask these two to do so for the time series alone.
create function ensure_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
declare
  parent text;
  day date;
  child text;
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  foreach parent in array array['telemetry', 'connectivity'] loop
    day := first_day;
    while day <= last_day loop
      child := parent || '_' || to_char(day, 'YYYYMMDD');
      if to_regclass(quote_ident(child)) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
          to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
      end if;
      day := day + 1;
    end loop;
  end loop;
end $$;

create function drop_partitions_before(day date) returns integer
language plpgsql security definer set search_path from current as $$
declare
  child record;
  dropped integer := 0;
begin
  for child in
    select c.relname from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent
    where p.relname in ('telemetry', 'connectivity') and right(c.relname, 8) < to_char(day, 'YYYYMMDD')
  loop
    execute format('drop table %I', child.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- The audit log: one hash chain per organization, one for each main account. The serving role may add to it and read it, no more.
create table audit_entries (
  chain_id uuid not null,
  seq bigint not null,
  at timestamptz not null,
  actor_id uuid,
  actor_email text not null,
  actor_role text collate "C" not null,
  address text not null,
  action text not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  detail jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (chain_id, seq)
);
create index audit_entries_by_time on audit_entries (chain_id, at, seq);

create table audit_heads (
  chain_id uuid primary key,
  seq bigint not null,
  hash bytea not null
);

-- What changed, written in the transaction that changed it; read in commit order by (xid, position).
create table outbox (
  xid xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity,
  main_account_id uuid,
  organization_id uuid,
  topic text collate "C" not null,
  ids text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (xid, position)
);
create index outbox_by_time on outbox (created_at);

create table mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  plain text not null,
  html text not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz default now(),
  attempts integer not null default 0,
  sent_at timestamptz,
  last_error text
);
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;
create index mails_by_time on mails (created_at);

grant select on installation to highline_serve;
grant select, insert, update, delete on
  main_accounts, organizations, accounts, sessions, mailed_links, rate_windows, groups, routers, router_ownership, devices,
  telemetry, connectivity, outbox, mails to highline_serve;
grant select on telemetry_parameters to highline_serve;
grant select, insert on audit_entries to highline_serve;
grant select, insert, update on audit_heads to highline_serve;
revoke all on function ensure_partitions(date, date), drop_partitions_before(date) from public;
grant execute on function ensure_partitions(date, date), drop_partitions_before(date) to highline_serve;
