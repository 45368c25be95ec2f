-- Calls for a router whose connection another process has (RMT-01, OLD-03): that process takes them, and answers here. Seconds old at most.
drop table remote_requests;
create table errands (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  -- Whose it is: that room alone reads what it says.
  room text collate "C" not null check (room in ('remote', 'commands')),
  said jsonb not null,
  -- Who asks: by which sign-in, and from where.
  login_hash bytea not null,
  address text not null,
  -- By the database's clock, which is the same for all processes.
  asked_at timestamptz not null default now(),
  -- When a process said that it is the one. It is taken once, so nothing is done twice.
  taken_at timestamptz,
  -- Sealed under the master key for this errand: it may hold credentials. Deleted as it is read.
  sealed_answer bytea,
  primary key (organization_id, id)
);
create index errands_open on errands (asked_at);

grant select, insert, update, delete on errands to highline_serve;
