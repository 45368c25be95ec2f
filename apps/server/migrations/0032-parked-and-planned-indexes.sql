-- highline: concurrently
-- The few devices that a rollout works on.
create index concurrently if not exists devices_planned on devices (id) where is_planned;
create index concurrently if not exists rollout_targets_working on rollout_targets (organization_id, device_id) where phase in ('sent', 'applied');
