-- highline: compatible since 0001
-- Passwords of routers' own web pages (docs/domains/commands.md), and what clients of vehicles use (docs/domains/networks.md).

create table router_passwords (
  -- The command that sets it.
  id uuid primary key,
  organization_id uuid not null,
  device_id uuid not null,
  -- The router that the device had then: the password of another one is none of this device.
  router_id uuid not null,
  username text collate "C" not null,
  sealed bytea not null,
  -- 'waiting': the command has not ended. 'unconfirmed': the router may have it. 'set': it said so.
  state text collate "C" not null check (state in ('waiting', 'unconfirmed', 'set')),
  created_at timestamptz not null,
  set_at timestamptz,
  check ((set_at is null) = (state <> 'set'))
);
create index router_passwords_of_device on router_passwords (organization_id, device_id, id);
create unique index router_passwords_in_use on router_passwords (organization_id, device_id, router_id, username) where state = 'set';
create index router_passwords_of_router on router_passwords (router_id);

create table router_password_settings (
  organization_id uuid primary key,
  main_account_id uuid not null,
  length smallint not null,
  symbols boolean not null,
  rotate_days smallint check (rotate_days > 0),
  automatic boolean not null,
  -- In whose name passwords are replaced.
  author jsonb not null,
  updated_at timestamptz not null,
  check (not automatic or rotate_days is not null)
);

-- What is stored of clients; without a row the usual.
create table client_settings (
  organization_id uuid primary key,
  -- 'nothing', 'list': who was connected last, 'use': what each used by day.
  keep text collate "C" not null check (keep in ('nothing', 'list', 'use')),
  days smallint not null check (days in (7, 30, 90)),
  updated_at timestamptz not null
);

-- The last counters of the clients of a router, and what they used today (apps/server/src/domains/networks/use).
create table client_counters (
  router_id uuid primary key references routers on delete cascade,
  organization_id uuid not null,
  device_id uuid not null,
  day date not null,
  read_at timestamptz not null,
  content bytea not null
) with (fillfactor = 50);
create index client_counters_of_organization on client_counters (organization_id);
create index client_counters_by_age on client_counters (read_at);

-- What the clients of a device used on a day that is over: all of them in one row.
create table client_days (
  organization_id uuid not null,
  device_id uuid not null,
  day date not null,
  clients integer not null,
  -- Bytes of all of them: to them, and from them.
  sent bigint not null,
  received bigint not null,
  content bytea not null,
  primary key (device_id, day)
);
create index client_days_by_age on client_days (organization_id, day);

grant select, insert, update, delete on router_passwords, router_password_settings, client_settings, client_counters, client_days
  to highline_serve;
