-- Places among the downloads that run at the same time (docs/decisions/0040-fair-downloads.md).

-- Since when a target has one; null = it has none. The claim below gives it, the engine takes it back with the end of the download.
alter table rollout_targets add column download_since timestamptz;
update rollout_targets t set download_since = t.step_sent_at from bindings b
  where b.id = t.binding_id and b.kind = 'firmware' and t.phase = 'sent';

-- Those that have a place; those that wait for one, by organization and rollout; and those that are due, by organization.
create index rollout_targets_downloads on rollout_targets (organization_id, binding_id) where download_since is not null;
drop index rollout_targets_queued;
create index rollout_targets_queued on rollout_targets (organization_id, binding_id, updated_at, device_id)
  where reason = 'queued' and due_at is null;
create index rollout_targets_due_by_organization on rollout_targets (organization_id, due_at) where due_at is not null;

-- Give free places to routers that wait, in turns: the organization with the fewest downloads first, in it the rollout with the fewest, in it the
-- router that waits longest. A place counts while its download runs and the router is connected, and `unused` long before the download begins.
-- A function, because the claims of several processes follow each other: each one must read what the claim before it wrote, and a
-- process that stops in the middle keeps no lock. Answers how many places are still free, and whether routers waited.
create function claim_downloads(places integer, most integer, at timestamptz, unused interval, out free integer, out is_waiting boolean)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('claim_downloads'));
  with recursive used as materialized (
    select t.organization_id, t.binding_id, count(*) as downloads
    from rollout_targets t join routers r on r.id = t.router_id
    where t.download_since is not null
      and case when t.phase = 'sent' then r.presence = 'online' else t.download_since > at - unused end
    group by t.organization_id, t.binding_id
  ), available as materialized (
    select greatest(0, places - coalesce(sum(u.downloads), 0))::integer as count from used u
  ), queues as (
    (select q.organization_id, q.binding_id from rollout_targets q where q.reason = 'queued' and q.due_at is null
      order by q.organization_id, q.binding_id limit 1)
    union all
    select n.* from queues p cross join lateral (
      select q.organization_id, q.binding_id from rollout_targets q
      where q.reason = 'queued' and q.due_at is null and (q.organization_id, q.binding_id) > (p.organization_id, p.binding_id)
      order by q.organization_id, q.binding_id limit 1) n
  ), turns as (
    select q.organization_id, q.binding_id, w.device_id, w.updated_at,
      coalesce(u.downloads, 0) + row_number() over (partition by q.binding_id order by w.updated_at, w.device_id) as turn
    from queues q left join used u on u.organization_id = q.organization_id and u.binding_id = q.binding_id
      cross join lateral (
        select x.device_id, x.updated_at from rollout_targets x
        where x.organization_id = q.organization_id and x.binding_id = q.binding_id and x.reason = 'queued' and x.due_at is null
        order by x.updated_at, x.device_id limit (select least(count, most) from available)) w
  ), ordered as (
    select o.*, coalesce((select sum(u.downloads) from used u where u.organization_id = o.organization_id), 0)
        + row_number() over (partition by o.organization_id order by o.turn, o.updated_at, o.device_id) as organization_turn
    from turns o
  ), chosen as (
    select t.binding_id, t.device_id
    from ordered o join rollout_targets t on t.binding_id = o.binding_id and t.device_id = o.device_id
    where t.reason = 'queued' and t.due_at is null
    order by o.organization_turn, o.turn, o.updated_at, o.device_id
    limit (select least(count, most) from available)
    for update of t skip locked
  ), claimed as (
    update rollout_targets t set download_since = at, due_at = at from chosen c
    where t.binding_id = c.binding_id and t.device_id = c.device_id returning 1
  )
  select (select count from available) - (select count(*) from claimed), exists (select 1 from queues) into free, is_waiting;
end $$;
grant execute on function claim_downloads to highline_serve;
