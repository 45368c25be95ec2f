-- highline: concurrently

-- Whether a wave has routers that are not successful yet, however many wait in later ones.
create index concurrently if not exists rollout_targets_by_wave on rollout_targets (binding_id, wave, state) where state <> 'successful';
