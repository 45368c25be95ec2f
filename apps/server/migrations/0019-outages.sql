-- Times in which vehicles were without a connection (docs/domains/outages.md).

-- One row for each time that a device had no connection, made from the router's connections and what was known about it at that moment: it stays true when
-- the vehicle changes its router, carrier or group. Deleted with the connections that it was made from.
create table outages (
  organization_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  began_at timestamptz not null,
  -- When the router was back, or no longer belonged to the device; null = it goes on.
  ended_at timestamptz,
  -- Why it counts, or does not (the contract's `outageKinds`).
  kind text collate "C" not null check (kind in ('lost', 'closed', 'server', 'parked', 'planned')),
  -- Of the connection's end (the contract's `presenceReasons`).
  reason text collate "C" not null,
  -- As last reported before it; empty = not reported.
  carrier text collate "C" not null,
  technology text collate "C" not null,
  serving_cell text collate "C" not null,
  -- dBm, of the last report in the 15 minutes before it.
  rsrp real,
  -- The last position in the 10 minutes before it, and its hexagon (H3, resolution 8).
  latitude double precision,
  longitude double precision,
  hexagon text collate "C",
  primary key (organization_id, device_id, began_at)
) with (fillfactor = 85);
create index outages_by_time on outages (organization_id, began_at, device_id);
create index outages_open on outages (router_id) where ended_at is null;
create index outages_by_age on outages (began_at);
create index outages_by_hexagon on outages (organization_id, hexagon, began_at) where hexagon is not null;

-- Connections before this time were read; one row.
create table outage_progress (
  only_row boolean primary key default true check (only_row),
  until timestamptz not null
);
insert into outage_progress (until) values ('-infinity');

grant select, insert, update, delete on outages to highline_serve;
grant select, update on outage_progress to highline_serve;
-- highline: compatible since 0001
