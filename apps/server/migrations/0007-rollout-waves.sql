-- Rollouts in waves and in windows of time (docs/domains/rollouts.md, docs/domains/windows.md).

-- Which wave may begin now, with all before it; null = there are no waves, and only canaries go first.
alter table bindings add column wave_open smallint;
-- When the next wave follows: 'success' as soon as every router of this one is successful, 'hours' so long after the last success without a failure,
-- 'person' when a person says so.
alter table bindings add column wave_rule text collate "C" not null default 'success';
alter table bindings add column wave_hours smallint;
-- What goes first, as it was chosen: the contract's `firstWave`; null = `canaries` routers of our choice.
alter table bindings add column wave_first jsonb;
-- Percent of the routers after the first that have begun with each further wave; the last wave, of all others, is not in it.
alter table bindings add column wave_shares smallint[] not null default '{}';
-- The contract's `updateWindow`: routers begin while it is open; null = at any time.
alter table bindings add column update_window jsonb;

alter table rollout_targets add column wave smallint not null default 0;
