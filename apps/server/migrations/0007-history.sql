-- Retention of the log (docs/decisions/0006-retention-of-the-log.md), and what the timeline of a device is read from.

-- Up to where retention cut a log: the newest cut of each chain, with the server's signature over it.
create table audit_cuts (
  chain_id uuid primary key,
  seq bigint not null,
  hash bytea not null,
  at timestamptz not null,
  signature text not null
);

-- The serving role cannot delete entries; it may ask this to remove the oldest ones of a log. How old they must be stands in
-- `installation`, which the serving role cannot write: whoever takes it over removes nothing that retention would not have removed.
create function cut_audit_log(chain uuid, up_to bigint, stated_at timestamptz, stated_signature text) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  days integer;
  last_hash bytea;
  removed bigint;
begin
  select value::text::integer into days from installation where key = 'log_retention_days';
  if days is null then
    raise exception 'It is not settled how long logs are kept.' using errcode = 'insufficient_privilege';
  end if;
  -- The newest entry stays, whatever its age: the chain goes on from it.
  perform 1 from audit_heads where chain_id = chain and seq > up_to for update;
  if not found then
    raise exception 'The newest entry of a log is never cut off.' using errcode = 'insufficient_privilege';
  end if;
  if exists (
    select 1 from audit_entries where chain_id = chain and seq <= up_to and at >= now() - make_interval(days => days)
  ) then
    raise exception 'An entry is not old enough to be cut off.' using errcode = 'insufficient_privilege';
  end if;
  select hash into last_hash from audit_entries where chain_id = chain and seq = up_to;
  if not found then
    return 0;
  end if;
  delete from audit_devices where chain_id = chain and seq <= up_to;
  delete from audit_entries where chain_id = chain and seq <= up_to;
  get diagnostics removed = row_count;
  insert into audit_cuts values (chain, up_to, last_hash, stated_at, stated_signature)
  on conflict (chain_id) do update set seq = excluded.seq, hash = excluded.hash, at = excluded.at, signature = excluded.signature;
  return removed;
end $$;

-- Which devices an entry is about, so that a device finds what people did to it, also among many. No part of the chain.
create table audit_devices (
  chain_id uuid not null,
  seq bigint not null,
  device_id uuid not null,
  at timestamptz not null,
  primary key (chain_id, seq, device_id)
);
create index audit_devices_by_device on audit_devices (chain_id, device_id, at, seq);
insert into audit_devices
  select chain_id, seq, subject_id::uuid, at from audit_entries
  where subject_kind = 'device' and subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

-- What happened to a router beside its connections: steps of rollouts, alarms. Of the router, read through ownership intervals.
create table router_events (
  id bigint generated always as identity primary key,
  router_id uuid not null,
  at timestamptz not null,
  kind text collate "C" not null check (kind in ('rollout', 'alarm')),
  -- 'firmware' or 'config'; of an alarm its name.
  subject text collate "C" not null,
  -- The file's name as it was bound.
  label text not null default '',
  state text collate "C" not null,
  reason text not null default '',
  rollout_id uuid
);
create index router_events_by_router on router_events (router_id, at, id);
create index router_events_by_age on router_events using brin (at);

grant select on audit_cuts to highline_serve;
grant select, insert on audit_devices to highline_serve;
grant select, insert, delete on router_events to highline_serve;
revoke all on function cut_audit_log(uuid, bigint, timestamptz, text) from public;
grant execute on function cut_audit_log(uuid, bigint, timestamptz, text) to highline_serve;
