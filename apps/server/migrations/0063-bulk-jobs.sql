-- One change of many devices: a job, and an item for each of its devices (docs/decisions/0043-bulk-jobs.md). A job and its items are deleted 30 days
-- after it ended. Neither refers to a device or an organization by a foreign key: devices are purged earlier, and organizations stay.
create table bulk_jobs (
  id uuid primary key,
  main_account_id uuid not null,
  -- Null: devices of all organizations of the main account.
  organization_id uuid,
  action jsonb not null,
  -- It restores what another job changed.
  is_undo boolean not null default false,
  -- Where the items that are not there yet come from: a filter of the device list, or items of another job. Null = all are there.
  selection jsonb,
  -- The last one selected.
  selected_serial text collate "C",
  selected_id uuid,
  selected_n integer not null default 0,
  -- Who started it, as it was then.
  actor jsonb not null,
  state text collate "C" not null check (state in ('selecting', 'running', 'done', 'cancelled')),
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  -- The first item that no batch has taken.
  next_n integer not null default 1,
  -- Failures of the present batch in a row.
  attempts smallint not null default 0,
  due_at timestamptz not null,
  worked_at timestamptz,
  -- While commands are sent for it: until then no other process takes its next batch.
  leased_until timestamptz,
  -- The jobs that tried its failed items again, and that undid it.
  retried_by uuid,
  undone_by uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('selecting', 'running')))
);
create index bulk_jobs_active on bulk_jobs (due_at) where ended_at is null;
create index bulk_jobs_by_organization on bulk_jobs (organization_id, id);
create index bulk_jobs_of_main on bulk_jobs (main_account_id, id);
create index bulk_jobs_ended on bulk_jobs (ended_at) where ended_at is not null;
grant select, insert, update, delete on bulk_jobs to highline_serve;

create table bulk_job_items (
  job_id uuid not null references bulk_jobs,
  n integer not null,
  organization_id uuid not null,
  device_id uuid not null,
  serial text collate "C" not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'sending', 'done', 'failed', 'skipped')),
  -- Why it failed or was skipped.
  reason text collate "C",
  -- The router's own message.
  message text,
  -- The value that the job replaced; what an undo restores.
  before jsonb,
  -- The value that an undo restores.
  target jsonb,
  primary key (job_id, n)
);
create index bulk_job_items_open on bulk_job_items (job_id, state, n) where state in ('failed', 'skipped');
grant select, insert, update, delete on bulk_job_items to highline_serve;

-- BLK-02: tags of a device, compared letter by letter.
alter table devices add column tags text[] not null default '{}';
