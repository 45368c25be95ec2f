-- HKS-01: webhooks of an organization or a main account (docs/decisions/0057-webhooks.md).
create table webhook_endpoints (
  id uuid primary key,
  main_account_id uuid not null,
  -- Null: the main account and all of its organizations.
  organization_id uuid,
  name text not null,
  url text not null,
  format text collate "C" not null check (format in ('standard', 'slack', 'teams')),
  event_types text[] collate "C" not null,
  -- Only events about devices or rollouts of these groups; null = all events.
  group_keys text[] collate "C",
  -- Only events about devices with one of these tags; null = all events.
  tags text[],
  -- While it is off nothing is recorded for it.
  is_enabled boolean not null,
  -- Encrypted under the master key for this row.
  sealed_secret bytea not null,
  -- The secret before the last rotation, which signs too until then.
  previous_secret bytea,
  previous_until timestamptz,
  created_by_email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  -- Since when every call has failed.
  failing_since timestamptz,
  -- Events are recorded and wait.
  suspended_at timestamptz,
  -- E-mail address of the person; null = after days of failures.
  suspended_by text,
  check ((previous_secret is null) = (previous_until is null))
);
create index webhook_endpoints_by_organization on webhook_endpoints (organization_id, id);
create index webhook_endpoints_of_main on webhook_endpoints (main_account_id, id);
grant select, insert, update, delete on webhook_endpoints to highline_serve;

-- One row per event and endpoint, written in the transaction of the event. Deleted after WEBHOOK_LOG_DAYS, and after its endpoint.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  -- The order of events.
  position bigint generated always as identity,
  endpoint_id uuid not null,
  -- The organization of the event; null = of the main account.
  organization_id uuid,
  -- Events of one device are sent one after another.
  device_id uuid,
  type text collate "C" not null,
  -- An event with a key is recorded once for an endpoint.
  key text collate "C",
  happened_at timestamptz not null,
  data jsonb not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  -- Counts calls; the record of an outcome names the number of its call.
  attempts integer not null default 0,
  -- The number of calls before the event was last sent again by a person.
  attempts_before integer not null default 0,
  -- When it is due; while it is being sent, when others may take it over.
  next_at timestamptz,
  -- The last calls with their answers, the oldest first.
  tries jsonb not null default '[]',
  created_at timestamptz not null default now(),
  check ((state = 'waiting') = (next_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at, position) where state = 'waiting';
create index webhook_deliveries_of_device on webhook_deliveries (endpoint_id, device_id, position)
  where state = 'waiting' and device_id is not null;
create index webhook_deliveries_log on webhook_deliveries (endpoint_id, position);
create index webhook_deliveries_by_state on webhook_deliveries (endpoint_id, state, position);
create unique index webhook_deliveries_by_key on webhook_deliveries (endpoint_id, key) where key is not null;
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);
grant select, insert, update, delete on webhook_deliveries to highline_serve;

-- An event on its way to the endpoints that are subscribed to it.
create type webhook_event as (
  main_account_id uuid,
  organization_id uuid,
  device_id uuid,
  group_key text,
  tags text[],
  type text,
  key text,
  happened_at timestamptz,
  data jsonb
);

-- Whether any endpoint is subscribed to one of these types: what most triggers end with.
create function has_webhooks(types text[]) returns boolean language sql stable set search_path = public, pg_temp as $$
  select exists (select from webhook_endpoints e where e.is_enabled and e.event_types && types);
$$;

-- Record events for the endpoints of their organization and of its main account.
create function record_webhook_events(events webhook_event[]) returns void language sql set search_path = public, pg_temp as $$
  insert into webhook_deliveries (endpoint_id, organization_id, device_id, type, key, happened_at, data, next_at)
  select e.id, v.organization_id, v.device_id, v.type, v.key, v.happened_at, v.data, now()
  from unnest(events) with ordinality as v (main_account_id, organization_id, device_id, group_key, tags, type, key, happened_at, data, number)
  join webhook_endpoints e on e.main_account_id = v.main_account_id and e.is_enabled and v.type = any(e.event_types)
    and (e.organization_id is null or e.organization_id = v.organization_id)
    and (e.group_keys is null or v.group_key = any(e.group_keys))
    and (e.tags is null or v.tags && e.tags)
  order by v.number
  on conflict (endpoint_id, key) where key is not null do nothing;
$$;

create function webhook_device(d devices) returns jsonb language sql immutable as $$
  select jsonb_build_object('id', d.id, 'serial', d.serial, 'vehicle', d.vehicle_number, 'group', d.group_key);
$$;

create function webhook_device_event(d devices, type text, happened_at timestamptz, more jsonb) returns webhook_event
language sql immutable set search_path = public, pg_temp as $$
  select row(d.main_account_id, d.organization_id, d.id, d.group_key, d.tags, type, null, happened_at,
    jsonb_build_object('organization', d.organization_id, 'device', webhook_device(d)) || more)::webhook_event;
$$;

create function webhooks_of_connectivity() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['device.online', 'device.offline']) then
    perform record_webhook_events(array(
      select webhook_device_event(d, 'device.' || c.kind, c.at,
        case c.kind when 'offline' then jsonb_build_object('reason', c.reason) else '{}' end)
      from added c
      join router_ownership w on w.router_id = c.router_id and w.owned_until is null
      join devices d on d.organization_id = w.organization_id and d.id = w.device_id and d.archived_at is null
      where c.kind in ('online', 'offline') order by c.at));
  end if;
  return null;
end $$;
create trigger connectivity_to_webhooks after insert on connectivity referencing new table as added
  for each statement execute function webhooks_of_connectivity();

create function webhooks_of_router_events() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['device.alarm', 'rollout.device_updated', 'rollout.device_failed', 'esim.downloaded', 'esim.in_use', 'esim.failed',
    'esim.deleted', 'remote.opened', 'remote.ended']) then
    perform record_webhook_events(array(
      select webhook_device_event(d, t.type, r.at, case r.kind
        when 'alarm' then jsonb_build_object('alarm', r.subject, 'state', r.state)
        when 'rollout' then jsonb_build_object('rollout', r.rollout_id, 'kind', r.subject, 'label', r.label, 'state', r.state, 'reason', r.reason)
        when 'sim' then jsonb_build_object('profile', r.label, 'reason', r.reason)
        else jsonb_build_object('kind', r.subject) end)
      from added r
      join lateral (select case r.kind
        when 'alarm' then 'device.alarm'
        when 'rollout' then case when r.state = 'successful' then 'rollout.device_updated'
          when r.state in ('failed', 'rolled-back') then 'rollout.device_failed' end
        when 'sim' then 'esim.' || replace(r.state, '-', '_')
        when 'remote' then case when r.state in ('opened', 'ended') then 'remote.' || r.state end end as type) t on t.type is not null
      join router_ownership w on w.router_id = r.router_id and w.owned_until is null
      join devices d on d.organization_id = w.organization_id and d.id = w.device_id and d.archived_at is null
      order by r.id));
  end if;
  return null;
end $$;
create trigger router_events_to_webhooks after insert on router_events referencing new table as added
  for each statement execute function webhooks_of_router_events();

create function webhooks_of_added_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['device.added']) then
    perform record_webhook_events(array(
      select webhook_device_event(d, 'device.added', d.created_at, '{}')
      from added a join devices d on d.organization_id = a.organization_id and d.id = a.id where d.archived_at is null order by d.id));
  end if;
  return null;
end $$;
create trigger added_devices_to_webhooks after insert on devices referencing new table as added
  for each statement execute function webhooks_of_added_devices();

create function webhooks_of_device() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  moves boolean := old.organization_id <> new.organization_id;
  events webhook_event[] := '{}';
begin
  if not has_webhooks(array['device.added', 'device.removed', 'subscription.changed']) then
    return null;
  end if;
  if old.archived_at is null and (moves or new.archived_at is not null) then
    events := events || webhook_device_event(old, 'device.removed', now(), '{}');
  end if;
  if new.archived_at is null and (moves or old.archived_at is not null) then
    events := events || webhook_device_event(new, 'device.added', now(), '{}');
  end if;
  if new.archived_at is null and row(old.started_on, old.expires_on) is distinct from row(new.started_on, new.expires_on) then
    events := events || webhook_device_event(new, 'subscription.changed', now(),
      jsonb_build_object('starts', new.started_on, 'ends', new.expires_on));
  end if;
  perform record_webhook_events(events);
  return null;
end $$;
create trigger devices_to_webhooks after update of organization_id, archived_at, started_on, expires_on on devices for each row
  when (old.organization_id <> new.organization_id or old.archived_at is distinct from new.archived_at
    or old.started_on is distinct from new.started_on or old.expires_on is distinct from new.expires_on)
  execute function webhooks_of_device();

create function webhooks_of_binding() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  type text := case
    when tg_op = 'INSERT' then 'rollout.started'
    when new.ended_at is not null and old.ended_at is null then 'rollout.ended'
    when new.state = old.state then null
    when new.state = 'running' then 'rollout.resumed'
    else 'rollout.' || new.state end;
begin
  if type is not null and has_webhooks(array[type]) then
    perform record_webhook_events(array(
      select row(o.main_account_id, o.id, null, new.group_key, null, type, null, now(), jsonb_build_object('organization', o.id,
        'rollout', new.id, 'kind', new.kind, 'label', new.label, 'group', new.group_key)
        || case type when 'rollout.paused' then jsonb_build_object('reason', new.paused_reason) else '{}' end)::webhook_event
      from organizations o where o.id = new.organization_id));
  end if;
  return null;
end $$;
create trigger bindings_to_webhooks after insert or update of state, ended_at on bindings
  for each row execute function webhooks_of_binding();

create function webhooks_of_log() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['log.entry']) then
    perform record_webhook_events(array(
      select row(coalesce(o.main_account_id, a.chain_id), o.id, d.id, coalesce(d.group_key, case a.subject_kind when 'group' then a.subject_id end),
        d.tags, 'log.entry', null, a.at, jsonb_build_object('organization', o.id, 'number', a.seq, 'action', a.action,
          'subject', jsonb_build_object('kind', a.subject_kind, 'id', a.subject_id),
          'actor', jsonb_build_object('id', a.actor_id, 'email', a.actor_email, 'role', a.actor_role, 'key', a.actor_key, 'address', a.address),
          'detail', case when octet_length(a.detail::text) <= 16384 then a.detail end))::webhook_event
      from added a
      left join organizations o on o.id = a.chain_id
      left join devices d on d.organization_id = o.id and d.id = case
        when a.subject_kind = 'device' and a.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then a.subject_id::uuid end
      order by a.seq));
  end if;
  return null;
end $$;
create trigger audit_entries_to_webhooks after insert on audit_entries referencing new table as added
  for each statement execute function webhooks_of_log();
