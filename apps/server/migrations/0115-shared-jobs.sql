-- highline: compatible since 0001
-- When a job that one process does for all is due again, by the clock of this database.
create table shared_jobs (
  name text collate "C" primary key,
  due_at timestamptz not null,
  -- The last time that it succeeded, in any process.
  succeeded_at timestamptz
);
grant select, insert, update, delete on shared_jobs to highline_serve;
