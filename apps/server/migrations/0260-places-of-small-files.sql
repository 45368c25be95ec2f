-- Small config files have places of their own among the downloads (docs/decisions/0115-places-of-small-files.md).

-- Whether the file of a rollout is a config file of at most 64 KB: about as much as the commands and answers of its own step.
create function is_small_download(binding uuid) returns boolean language sql stable as $$
  select exists (select 1 from bindings b join config_versions v
      on v.organization_id = b.organization_id and v.config_id = b.config_id and v.number = b.config_number
    where b.id = binding and b.kind = 'config' and v.size <= 65536)
$$;
grant execute on function is_small_download to highline_serve;

-- Give free places for small files, or for all others, to routers that wait, round robin: the organization with the fewest downloads of that kind first,
-- in it the rollout with the fewest, in it the router that waits longest. A place counts while its download runs and the router is connected, and
-- `unused` long before the download begins. A function, because the claims of several processes follow each other: each one must read what the
-- claim before it wrote, and a process that stops in the middle keeps no lock. Answers how many places are still free, and whether routers waited.
create function claim_downloads(small boolean, places integer, most integer, at timestamptz, unused interval, out free integer, out is_waiting boolean)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('claim_downloads'));
  with recursive used as materialized (
    select d.* from (
      select t.organization_id, t.binding_id, count(*) as downloads
      from rollout_targets t join routers r on r.id = t.router_id
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
grant execute on function claim_downloads(boolean, integer, integer, timestamptz, interval) to highline_serve;

-- Processes of the version before: their places are for large files, which alone they let wait.
create or replace function claim_downloads(places integer, most integer, at timestamptz, unused interval, out free integer, out is_waiting boolean)
language sql as $$ select * from claim_downloads(false, places, most, at, unused) $$;
