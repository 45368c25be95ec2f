-- The health of devices, 0 to 100; null = unknown (docs/decisions/0048-device-page.md). In the row of the device, because lists are sorted and filtered by it.
alter table devices add column health smallint check (health between 0 and 100);

-- What it was computed from: figures of the 24 hours before a time. Not in the row of the device, because it changes every hour.
create table device_health (
  device_id uuid primary key,
  at timestamptz not null,
  rsrp real,
  rssi real,
  drops integer not null,
  temperature real,
  voltage real
);

-- How far the job is, which passes through all devices after each hour of readings; one row.
create table device_health_pass (
  only_row boolean primary key default true check (only_row),
  -- The end of the hours that the last complete pass counted.
  computed_until timestamptz not null,
  -- The same of the pass that runs, and its last device; null = none runs.
  target timestamptz,
  after_device uuid
);
insert into device_health_pass (computed_until) values ('-infinity');

grant select, insert, update, delete on device_health to highline_serve;
grant select, update on device_health_pass to highline_serve;
