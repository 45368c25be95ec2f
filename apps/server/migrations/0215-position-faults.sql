-- Positions of a router that were rejected, or stored with a corrected time: one row for each reason, since the organization has the router.
create table position_faults (
  router_id uuid not null references routers on delete cascade,
  -- The contract's `positionFaultReasons`.
  reason text collate "C" not null,
  -- The first of them; after a day without any it begins again.
  since timestamptz not null,
  last_at timestamptz not null,
  count bigint not null,
  -- What the last one was, sanitized and cut.
  received text,
  primary key (router_id, reason)
) with (fillfactor = 70);
grant select, insert, update, delete on position_faults to highline_serve;
