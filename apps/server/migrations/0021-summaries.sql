-- Reports about a period that are saved, and sent on a schedule (docs/domains/summaries.md).

create table summaries (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  -- Null: of the main account with all of its organizations.
  organization_id uuid references organizations,
  name text not null,
  -- The contract's `summaryKinds`, `summaryFormats`.
  kind text collate "C" not null,
  format text collate "C" not null,
  -- Only devices of this group; null = all.
  group_key text collate "C",
  -- IANA name, of its days and hours.
  zone text collate "C" not null,
  language text collate "C" not null check (language in ('en-US', 'zh-TW')),
  -- How often it is sent, and so the period that it is about: the day, the seven days, or the month before.
  every text collate "C" not null check (every in ('never', 'day', 'week', 'month')),
  -- Of the week, 1 = Monday; or of the month, where a day that a month lacks is its last one.
  on_day smallint not null check (on_day between 1 and 31),
  hour smallint not null check (hour between 0 and 23),
  -- Addresses.
  recipients text[] not null,
  -- Null = never.
  next_at timestamptz,
  -- In whose name it is read.
  author jsonb not null,
  created_by_email text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create index summaries_of_organization on summaries (organization_id, id);
create index summaries_of_main on summaries (main_account_id, id);
-- Whose addresses outside may have to confirm.
create index summaries_by_save on summaries (updated_at);
create index summaries_due on summaries (next_at) where next_at is not null;

-- One row for each time that a summary was due; deleted after 90 days.
create table summary_runs (
  summary_id uuid not null,
  due_at timestamptz not null,
  state text collate "C" not null check (state in ('waiting', 'sent', 'failed')),
  -- Null once it is over.
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  -- Why it failed: 'author', 'too_large', 'no_recipient', or the last error.
  reason text not null default '',
  primary key (summary_id, due_at)
);
create index summary_runs_due on summary_runs (next_attempt_at) where next_attempt_at is not null;
create index summary_runs_by_age on summary_runs (due_at);

-- Addresses outside of an organization or main account that were requested to confirm that they want summaries of it, or did.
create table summary_addresses (
  owner_id uuid not null,
  mail text collate "C" not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (owner_id, mail)
);

-- Files that mails carry; deleted after their mails, by age.
create table mail_files (
  id uuid primary key,
  name text not null,
  type text collate "C" not null,
  content bytea not null,
  created_at timestamptz not null
);
create index mail_files_by_age on mail_files (created_at);
alter table mails add column file_id uuid;
-- The address for List-Unsubscribe (RFC 8058).
alter table mails add column unsubscribe text;

grant select, insert, update, delete on summaries, summary_runs, summary_addresses, mail_files to highline_serve;
-- highline: compatible since 0001
