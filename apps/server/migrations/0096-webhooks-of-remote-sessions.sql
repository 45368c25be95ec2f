-- The device of an open session as its organization had it, kept when it was transferred: what webhooks of that organization name and choose by.
alter table remote_sessions add column transferred jsonb;

create function keep_device_of_remote_session() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  update remote_sessions s set transferred = jsonb_build_object('main_account_id', old.main_account_id, 'organization_id', old.organization_id,
      'id', old.id, 'serial', old.serial, 'vehicle_number', old.vehicle_number, 'group_key', old.group_key, 'tags', old.tags)
    where s.router_id = old.router_id and s.organization_id = old.organization_id and s.ended_at is null;
  return null;
end $$;
create trigger devices_to_remote_sessions after update of organization_id on devices for each row
  when (old.organization_id <> new.organization_id) execute function keep_device_of_remote_session();

-- Events of a session are of the organization that opened it, also when the device was transferred or deleted, or its router replaced, meanwhile.
create or replace function webhooks_of_router_events() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['device.alarm', 'rollout.device_updated', 'rollout.device_failed', 'esim.downloaded', 'esim.in_use', 'esim.failed',
    'esim.deleted', 'remote.opened', 'remote.ended']) then
    perform record_webhook_events(array(
      select webhook_device_event(o.device, t.type, r.at, case r.kind
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
      left join lateral (select s.organization_id, s.device_id, s.transferred
        from (select distinct w.organization_id from router_ownership w where w.router_id = r.router_id) w
        join remote_sessions s on s.organization_id = w.organization_id and s.id = r.remote_session_id) s on true
      join lateral (
        select jsonb_populate_record(null::devices, s.transferred) as device where s.transferred is not null
        union all
        select d from devices d where s.transferred is null and d.organization_id = s.organization_id and d.id = s.device_id
        union all
        select d from router_ownership w
          join devices d on d.organization_id = w.organization_id and d.id = w.device_id and d.archived_at is null
          where s.device_id is null and w.router_id = r.router_id and w.owned_until is null) o on true
      order by r.id));
  end if;
  return null;
end $$;
