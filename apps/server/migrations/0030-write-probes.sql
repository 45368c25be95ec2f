-- One row per process that serves: written every few seconds, so that /healthz notices a database that answers reads and refuses writes.
create table write_probes (
  process uuid primary key,
  at timestamptz not null
);
grant select, insert, update, delete on write_probes to highline_serve;
