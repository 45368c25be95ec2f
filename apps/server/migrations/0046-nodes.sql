-- Which server process holds the connection of which router. Each start of a process is a row here, and renews its lease every few seconds by the
-- clock of this database; one whose lease lapsed is ended by another process, and never again active. Ended rows are deleted after some days.
create table nodes (
  -- New at each start.
  id uuid primary key,
  -- The same after a restart of the same process on the same folder.
  name text not null,
  version text not null,
  started_at timestamptz not null default now(),
  lease_until timestamptz not null,
  ended_at timestamptz
) with (fillfactor = 50);

-- Orders the sockets of a router over all processes: each socket takes the next number when its credentials are looked up.
create sequence connection_epochs;

-- held_by: the node with the socket; null = no node has one. No foreign key: it would lock the row of the node at every connect.
-- connection_epoch: the number of the socket that this state is about; an older socket changes nothing.
alter table routers add column held_by uuid, add column connection_epoch bigint not null default 0;

-- A node reads its own routers in pages, by id, and those of ended nodes; routers without a node wait for the end of their grace period.
drop index routers_not_offline;
create index routers_held on routers (held_by, id) where presence <> 'offline' and held_by is not null;
create index routers_not_held on routers (presence, presence_since) where presence <> 'offline' and held_by is null;

grant select, insert, update, delete on nodes to highline_serve;
grant usage on sequence connection_epochs to highline_serve;
