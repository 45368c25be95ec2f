-- Calls for a router whose connection another process has (RMT-01): that process takes them, and answers here. Seconds old at most.
create table remote_requests (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  action text collate "C" not null check (action in ('connect', 'secret', 'reset')),
  router_id uuid not null,
  -- Whose credentials are to be told; null for the others.
  session_id uuid,
  serial text collate "C" not null,
  type text collate "C" not null check (type in ('ssh', 'gui')),
  -- Who asks: by which sign-in, and from where.
  login_hash bytea not null,
  address text not null,
  asked_at timestamptz not null,
  -- When a process said that it is the one.
  taken_at timestamptz,
  -- Sealed under the master key for this request: it may hold credentials. Deleted as it is read.
  sealed_answer bytea,
  primary key (organization_id, id)
);
create index remote_requests_open on remote_requests (asked_at);

grant select, insert, update, delete on remote_requests to highline_serve;
