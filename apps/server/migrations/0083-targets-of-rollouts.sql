-- When the device was to have the file for the first time: it may have joined the group after the file was bound. Null: when it was bound.
alter table rollout_targets add column made_at timestamptz;
-- Since when its router answers that it is busy, without doing anything else in between.
alter table rollout_targets add column busy_since timestamptz;
