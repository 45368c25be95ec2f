-- highline: compatible since 0001
-- Sessions to clients of vehicles' networks (docs/domains/remote-access.md).

-- Who may open which clients. Organizations without a row allow it to no one.
create table client_rules (
  organization_id uuid primary key,
  roles text[] not null,
  -- IPv4 networks as CIDR, none within another.
  ranges text[] not null,
  -- The contract's list of {from, to}.
  ports jsonb not null
);
grant select, insert, update, delete on client_rules to highline_serve;

-- Null for sessions to the router itself.
alter table remote_sessions add column client_mac text collate "C";
alter table remote_sessions add column client_address text collate "C";
alter table remote_sessions add column client_port integer;
alter table remote_sessions add column client_service text collate "C";
-- Bytes to the client and from it, written every few seconds and at the end.
alter table remote_sessions add column client_sent bigint;
alter table remote_sessions add column client_received bigint;
