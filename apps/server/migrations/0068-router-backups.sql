-- Configurations that routers uploaded (docs/domains/router-backups.md, TPL-06).

-- When routers of an organization are backed up by themselves, and how long versions are kept.
create table router_backup_settings (
  organization_id uuid primary key references organizations,
  main_account_id uuid not null,
  nightly boolean not null,
  hour smallint not null check (hour between 0 and 23),
  zone text collate "C" not null,
  versions smallint not null check (versions between 1 and 90),
  days smallint not null check (days between 7 and 730),
  -- In whose name it is done.
  author jsonb not null,
  updated_at timestamptz not null
);

-- A version. Deleted by number and age, as the organization chose, and with its device.
create table router_backups (
  organization_id uuid not null references organizations,
  id uuid not null,
  device_id uuid not null,
  -- The router that sent it, and what it was then.
  router_id uuid not null,
  serial text collate "C" not null,
  model text not null,
  firmware text not null,
  name text not null,
  bytes integer not null check (bytes <= 1048576),
  sha256 text collate "C" not null,
  is_text boolean not null,
  -- The file, sealed for its id.
  sealed bytea not null,
  created_by text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz not null,
  primary key (organization_id, id)
);
create index router_backups_by_device on router_backups (organization_id, device_id, id);
create index router_backups_by_age on router_backups (created_at);

-- One row of a device: the night whose backup was begun, and the last backup of any kind.
create table router_backup_states (
  organization_id uuid not null references organizations,
  device_id uuid not null,
  night date,
  backed_up_at timestamptz,
  primary key (organization_id, device_id)
);

-- One-time addresses of the commands that back up and restore. Deleted after two days.
create table router_backup_transfers (
  -- SHA-256 of the secret in the address.
  address_hash bytea primary key,
  organization_id uuid not null references organizations,
  command_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  -- What the router downloads; null = it uploads.
  backup_id uuid,
  created_at timestamptz not null,
  received_at timestamptz
);
create index router_backup_transfers_by_command on router_backup_transfers (command_id);
create index router_backup_transfers_by_age on router_backup_transfers (created_at);
create index router_backup_transfers_by_organization on router_backup_transfers (organization_id);

grant select, insert, update, delete on router_backup_settings, router_backups, router_backup_states, router_backup_transfers to highline_serve;
