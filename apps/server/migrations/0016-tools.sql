-- highline: compatible since 0001
-- Tests that routers run by themselves, and the files that they send (docs/domains/tools.md).

create table tool_runs (
  organization_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  tool text collate "C" not null check (tool in ('ping', 'traceroute', 'dns', 'download', 'upload', 'capture', 'log')),
  -- The contract's `toolInput`.
  input jsonb not null,
  state text collate "C" not null default 'running' check (state in ('running', 'done', 'failed')),
  -- The contract's `toolResult`.
  result jsonb,
  cause text collate "C" check (cause in ('unsupported', 'busy', 'rejected', 'interrupted', 'failed', 'offline', 'no-end')),
  -- The router's own message, on one line.
  message text,
  started_by text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- If the router does not report an end until then, it failed.
  ends_by timestamptz not null,
  -- SHA-256 of the secret in the one-time address of its transfer; null = it transfers nothing.
  address_hash bytea,
  -- When that address was used, which is once.
  address_used_at timestamptz,
  -- Of what the router sent.
  file_bytes integer,
  file_sha256 text collate "C",
  primary key (organization_id, id)
);
-- One of a kind at once.
create unique index tool_runs_running on tool_runs (organization_id, device_id, tool) where state = 'running';
create index tool_runs_of_device on tool_runs (organization_id, device_id, id desc);
create index tool_runs_of_kind on tool_runs (organization_id, device_id, tool, id desc);
create unique index tool_runs_by_address on tool_runs (address_hash) where address_hash is not null;
create index tool_runs_ending on tool_runs (ends_by) where state = 'running';
create unique index tool_runs_by_id on tool_runs (id);
create index tool_runs_by_age on tool_runs (created_at);

-- Captures and logs. Deleted after 7 days.
create table tool_files (
  organization_id uuid not null,
  run_id uuid not null,
  contents bytea not null,
  created_at timestamptz not null,
  primary key (organization_id, run_id)
);
create index tool_files_by_age on tool_files (created_at);

grant select, insert, update, delete on tool_runs, tool_files to highline_serve;
