-- An agent that restarts in the middle of a download or a restore may report the end of the command as failed (USP error 7022). The
-- step is then sent again, so many times at most per attempt.
alter table rollout_targets add column interruptions smallint not null default 0 check (interruptions >= 0);
