-- highline: concurrently

-- Whether the other routers of a rollout still wait for a canary, however many they are.
create index concurrently if not exists rollout_targets_open_canaries on rollout_targets (binding_id) where is_canary and state <> 'successful';
