-- A partition of a day is made by itself and then attached: `create table … partition of` locks out every reader of the parent, and deadlocked with
-- a report that read two of the parents. Attaching waits for no reader and no writer.
create function add_day_partition(parent text, day date) returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(quote_ident(child)) is not null then return; end if;
  for attempt in 1..5 loop
    begin
      execute format('create table %I (like %I including all)', child, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
        to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
      return;
    exception when lock_not_available or deadlock_detected then
      -- An index of the parent is being built, or a partition dropped.
      if attempt = 5 then raise; end if;
    end;
  end loop;
end $$;

-- Drop the oldest partition of these tables before a day, if there is one. It has to lock out the readers of its parent, so it is the only one of its
-- transaction: two parents locked one after the other deadlock with who reads both.
create function drop_oldest_partition(parents text[], day date) returns integer
language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  child name;
begin
  select c.relname into child from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  join pg_class p on p.oid = i.inhparent
  where p.relname = any (parents) and p.relnamespace = current_schema()::regnamespace
    and right(c.relname, 8) < to_char(day, 'YYYYMMDD')
  order by right(c.relname, 8), p.relname limit 1;
  if child is null then return 0; end if;
  for attempt in 1..3 loop
    begin
      execute format('drop table if exists %I', child);
      return 1;
    exception when lock_not_available or deadlock_detected then
      -- Those who waited behind this one go first.
      if attempt = 3 then raise; end if;
      perform pg_sleep(0.2);
    end;
  end loop;
end $$;
revoke all on function add_day_partition(text, date), drop_oldest_partition(text[], date) from public;

create or replace function ensure_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  perform add_day_partition(parent, first_day + offset_days)
    from unnest(partitioned_by_day()) parent, generate_series(0, last_day - first_day) offset_days;
end $$;

-- Returns how many it dropped, at most one: call it until that is none, each time in a transaction of its own.
create or replace function drop_partitions_before(day date) returns integer
language sql security definer set search_path from current as $$
  select drop_oldest_partition(partitioned_by_day(), day)
$$;

create or replace function ensure_position_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_xact_lock(hashtext('ensure_position_partitions'));
  perform add_day_partition('positions', first_day + offset_days) from generate_series(0, last_day - first_day) offset_days;
end $$;

-- As drop_partitions_before.
create or replace function drop_position_partitions_before(day date) returns integer
language sql security definer set search_path from current as $$
  select drop_oldest_partition(array['positions'], day)
$$;
