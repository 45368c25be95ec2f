-- highline: compatible since 0001
-- The rows of an open segment are one array in the last column, the one that was stored last in front: PostgreSQL writes to its log what an update
-- changes between the beginning and the end of a row, which were all arrays of the hour before, and are the added rows now. They are sorted when they
-- become a complete segment. Processes of 0.2.0 know neither table.

insert into position_segments select * from open_position_segments where cardinality(seconds) > 0;
drop table open_position_segments;

create table open_position_segments (
  router_id uuid primary key,
  -- Of the position that was stored first.
  at timestamptz not null,
  -- No complete segment has a later position.
  complete_until timestamptz not null,
  -- For each position: seconds since `at`, latitude and longitude in 10^-7 degrees, accuracy in millimetres, km/h and degrees from north in tenths, and 1
  -- where it is a jump.
  fixes integer[] not null
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
grant select, insert, update, delete on open_position_segments to highline_serve;

-- As before, with the open positions of their new form.
create or replace function positions_between(router uuid, first timestamptz, before timestamptz)
returns table (
  at timestamptz, latitude double precision, longitude double precision, accuracy real, speed double precision, heading double precision, is_jump boolean
) language sql stable parallel safe as $$
  select s.at + p.second * interval '1 second', p.latitude / 1e7::float8, p.longitude / 1e7::float8, p.accuracy, p.speed / 10::float8,
    p.heading / 10::float8, coalesce(p.second = any (s.jumps), false)
  from position_segments s cross join lateral unnest(s.seconds, s.latitudes, s.longitudes, s.accuracies, s.speeds, s.headings)
    p (second, latitude, longitude, accuracy, speed, heading)
  where s.router_id = $1 and s.at >= date_trunc('hour', $2, 'UTC') and s.at < $3
    and s.at + s.seconds[cardinality(s.seconds)] * interval '1 second' >= $2
    and s.at + p.second * interval '1 second' >= $2 and s.at + p.second * interval '1 second' < $3
  union all
  select o.at + p.second * interval '1 second', p.latitude / 1e7::float8, p.longitude / 1e7::float8, (p.accuracy / 1e3::float8)::real,
    p.speed / 10::float8, p.heading / 10::float8, p.jump = 1
  from open_position_segments o cross join lateral unnest(
      o.fixes[:][1:1], o.fixes[:][2:2], o.fixes[:][3:3], o.fixes[:][4:4], o.fixes[:][5:5], o.fixes[:][6:6], o.fixes[:][7:7])
    p (second, latitude, longitude, accuracy, speed, heading, jump)
  where o.router_id = $1 and o.at >= $2 - interval '1 hour' and o.at < $3 + interval '1 hour'
    and o.at + p.second * interval '1 second' >= $2 and o.at + p.second * interval '1 second' < $3
  union all
  select f.at, f.latitude, f.longitude, f.accuracy, f.speed, f.heading, f.is_jump from positions f
    where f.router_id = $1 and f.at >= $2 and f.at < $3
$$;

insert into usage_segments select * from open_usage_segments;
drop view all_usage_segments;
drop table open_usage_segments;

create table open_usage_segments (
  router_id uuid not null,
  modem integer not null,
  -- Of the first reading.
  at timestamptz not null,
  iccid text collate "C" not null,
  -- For each reading: milliseconds since `at`, seconds since the router started, bytes sent and received.
  readings bigint[] not null,
  primary key (router_id, modem)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
-- 60 of them are 2 KB, which PostgreSQL would compress.
alter table open_usage_segments alter column readings set storage plain;

-- All stored readings, as segments; the readings of open ones are in no order.
create view all_usage_segments as
  select router_id, modem, at, iccid, milliseconds, uptimes, sent, received from usage_segments
  union all
  select router_id, modem, at, iccid, readings[:][1:1]::integer[], readings[:][2:2]::integer[], readings[:][3:3], readings[:][4:4] from open_usage_segments
  union all
  select router_id, modem, at, iccid, array[0], array[uptime::integer], array[sent], array[received] from usage_readings;

grant select, insert, update, delete on open_usage_segments to highline_serve;
grant select on all_usage_segments to highline_serve;

-- What a router reports, such as the cell that serves it, is in no index: with space in its page, a change is one row and none of 17 index entries.
alter table routers set (fillfactor = 75);
