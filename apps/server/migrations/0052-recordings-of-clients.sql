-- highline: compatible since 0001
-- The client of the vehicle's network to which a recorded terminal led (docs/domains/recordings.md); null = the router itself.
alter table recordings add column client_mac text collate "C";
alter table recordings add column client_address text collate "C";
alter table recordings add column client_port integer;
