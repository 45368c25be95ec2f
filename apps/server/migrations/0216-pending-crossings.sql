-- highline: concurrently
-- For routers that changed sides of a geofence with their last position.
create index concurrently if not exists geofence_states_pending on geofence_states (pending_since) where pending_since is not null;
