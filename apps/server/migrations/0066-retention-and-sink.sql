-- Days that an organization keeps readings and history; null, or more than the installation keeps (TELEMETRY_DAYS): those of the installation.
alter table organizations add column retention_days integer check (retention_days between 1 and 3650);

-- Up to where what an organization no longer keeps was deleted.
create table organization_retention (
  organization_id uuid primary key,
  deleted_until timestamptz not null
);

-- How often routers of a model report their readings, as their main account sets it; a group's own interval comes first (groups.report_seconds).
create table router_models (
  main_account_id uuid not null,
  -- As in the inventory.
  model text collate "C" not null,
  report_seconds integer not null check (report_seconds between 10 and 86400),
  updated_at timestamptz not null default now(),
  primary key (main_account_id, model)
);

-- Readings that still have to be copied to the sink (TELEMETRY_SINK_URL), one row for each transaction that stored some.
create table telemetry_sink_batches (
  -- Ordered by time.
  id uuid primary key,
  created_at timestamptz not null default now(),
  reports integer not null,
  -- Rows of telemetry_reports in the binary format of COPY, without header and trailer.
  payload bytea not null
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 50000
);
-- Compression would cost more than it saves: a row exists for a second.
alter table telemetry_sink_batches alter column payload set storage external;

-- The process that copies to the sink; one row.
create table telemetry_sink (
  only_row boolean primary key default true check (only_row),
  node text not null default '',
  lease_until timestamptz not null default '-infinity'
);
insert into telemetry_sink default values;

grant select, insert, update, delete on organization_retention, router_models, telemetry_sink_batches to highline_serve;
grant select, update on telemetry_sink to highline_serve;
