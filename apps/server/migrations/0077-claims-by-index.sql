-- Places among the downloads, as before, for what a claim gives and not for all that wait: a rollout that has just begun is in no statistics, so each
-- claim read all of its targets, and compared each of them with each that it could choose.
create or replace function claim_downloads(small boolean, places integer, most integer, at timestamptz, unused interval, out free integer, out is_waiting boolean)
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  perform pg_advisory_xact_lock(hashtext('claim_downloads'));
  with recursive used as materialized (
    select d.* from (
      select t.organization_id, t.binding_id, count(*) as downloads
      from rollout_targets t cross join lateral (select r.presence from routers r where r.id = t.router_id offset 0) r
      where t.download_since is not null
        and case when t.phase = 'sent' then r.presence = 'online' else t.download_since > at - unused end
      group by t.organization_id, t.binding_id offset 0) d
    where is_small_download(d.binding_id) = small
  ), available as materialized (
    select greatest(0, places - coalesce(sum(u.downloads), 0))::integer as count from used u
  ), waiting as (
    (select q.organization_id, q.binding_id from rollout_targets q where q.reason = 'queued' and q.due_at is null
      order by q.organization_id, q.binding_id limit 1)
    union all
    select n.* from waiting p cross join lateral (
      select q.organization_id, q.binding_id from rollout_targets q
      where q.reason = 'queued' and q.due_at is null and (q.organization_id, q.binding_id) > (p.organization_id, p.binding_id)
      order by q.organization_id, q.binding_id limit 1) n
  ), queues as materialized (
    select q.* from waiting q where is_small_download(q.binding_id) = small
  ), candidates as (
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
    from candidates o
  ), chosen as (
    select t.place
    from (select * from ordered order by organization_turn, turn, updated_at, device_id offset 0) o
      cross join lateral (
        -- Not `=`: the index of those that wait would be read from its beginning for each of them.
        select q.ctid as place from rollout_targets q
        where q.binding_id = o.binding_id and q.device_id = o.device_id and q.reason is not distinct from 'queued' and q.due_at is null
        for update skip locked) t
    limit (select least(count, most) from available)
  ), claimed as (
    update rollout_targets t set download_since = at, due_at = at where t.ctid = any (array(select c.place from chosen c)) returning 1
  )
  select (select count from available) - (select count(*) from claimed), exists (select 1 from queues) into free, is_waiting;
end $$;
