-- Ways of people to a router's shell or web page (RMT-01). The sockets are in a process; here stands that they exist, and why they ended.
create table remote_sessions (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  type text collate "C" not null check (type in ('ssh', 'gui')),
  -- The process that has the sockets.
  node text collate "C" not null,
  -- Who opened it, and with which sign-in: it ends with either.
  account_id uuid not null,
  account_email text not null,
  login_hash bytea not null,
  opened_at timestamptz not null default now(),
  -- Null until its credentials were told, which happens once.
  credentials_expire_at timestamptz,
  ended_at timestamptz,
  end_reason text collate "C",
  primary key (organization_id, id),
  check ((ended_at is null) = (end_reason is null))
);
-- A router has one at a time; who comes second loses here, whichever process each of them talks to.
create unique index remote_sessions_open on remote_sessions (router_id) where ended_at is null;
create index remote_sessions_ended on remote_sessions (ended_at) where ended_at is not null;

-- Signs of life of the processes that have sessions: those of one that is silent have ended with it.
create table remote_nodes (
  node text collate "C" primary key,
  seen_at timestamptz not null
);

-- Remote sessions stand on the router's timeline; who opened one is read from the session, by its organization alone.
alter table router_events add column remote_session_id uuid;
alter table router_events drop constraint router_events_kind_check;
alter table router_events add constraint router_events_kind_check check (kind in ('rollout', 'alarm', 'remote'));

grant select, insert, update, delete on remote_sessions, remote_nodes to highline_serve;
