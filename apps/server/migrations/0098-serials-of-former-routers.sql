-- The serial number of a router that was removed from the inventory since: what it did is listed for as long as it is kept. Null: it is there.
alter table router_ownership add column serial text;
