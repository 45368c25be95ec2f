-- What a saved summary is limited to, and how its file is written (docs/domains/summaries.md); null = all.
alter table summaries add column carrier text;
alter table summaries add column tag text;
-- The contract's `summarySums`; null = the usual rows of its kind.
alter table summaries add column sum_by text collate "C";
-- Ids of columns in their order; null = all.
alter table summaries add column columns text[];
-- The contract's `separators`, of a CSV.
alter table summaries add column separator text collate "C" not null default 'comma';

-- The file that was sent, while it is kept.
alter table summary_runs add column file_id uuid;
-- How long a file can be opened; null = until mails can no longer be sent again.
alter table mail_files add column kept_until timestamptz;

-- What the reports of an organization have in common; they go with it.
create table report_settings (
  organization_id uuid primary key references organizations (id) on delete cascade,
  -- Availability that is agreed, percent; null = none. The second by carrier, as routers report it.
  target double precision,
  carrier_targets jsonb not null default '{}',
  -- Days for which files that were sent are kept.
  files_days integer not null default 35,
  -- A PNG or JPEG at the head of documents; null = none.
  logo bytea,
  version integer not null default 1
);
grant select, insert, update, delete on report_settings to highline_serve;
-- highline: compatible since 0001
