-- highline: concurrently
-- For the trail of a device, also of the routers that it had before.
create index concurrently if not exists router_ownership_by_device on router_ownership (device_id, owned_from);
