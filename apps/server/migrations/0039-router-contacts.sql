-- When a router was last in contact and how strong its signal was. Both change with every heartbeat and order no list, so they stand in a
-- narrow table of their own: written in batches every few minutes and when a connection begins or ends, never into `routers` or `devices`.
create table router_contacts (
  router_id uuid primary key references routers on delete cascade,
  last_contact_at timestamptz not null,
  -- dBm; null = the modem states none.
  rssi real
) with (fillfactor = 50);

insert into router_contacts (router_id, last_contact_at, rssi)
select id, last_seen_at, case when jsonb_typeof(reported -> 'rssi') = 'number' then (reported ->> 'rssi')::real end
from routers where last_seen_at is not null;

alter table devices drop column last_seen_at, drop column rssi;
alter table routers drop column last_seen_at;

-- The comparison of connections with the database reads these in pages, by id.
drop index routers_by_presence;
create index routers_not_offline on routers (id) where presence <> 'offline';

grant select, insert, update, delete on router_contacts to highline_serve;
