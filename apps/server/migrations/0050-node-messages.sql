-- Processes reach each other through NATS. has_bus: this start was given one; null = a version that knows none.
alter table nodes add column has_bus boolean;

-- Calls to other processes whose result is recorded. The process that sent the call and the one that executed it both try, so that the
-- result of a call is in the log once, whichever of them ends meanwhile. Minutes old at most.
create table recorded_calls (
  id uuid primary key,
  recorded_at timestamptz not null default now()
);
create index recorded_calls_by_time on recorded_calls (recorded_at);
grant select, insert, delete on recorded_calls to highline_serve;

-- remote_calls is no longer written, and stays for processes of the version before, which may run at the same time.
