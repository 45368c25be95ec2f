-- What is found about devices, and what is usual for a fleet (docs/domains/diagnosis.md).

-- One row for each thing that is found about a device now; none = nothing. Rows of a device that left the organization are no one's: readers join
-- the living device, and the job deletes them.
create table device_diagnoses (
  organization_id uuid not null,
  device_id uuid not null,
  main_account_id uuid not null,
  -- The contract's `diagnoses`, and their number: the order of lists.
  kind text collate "C" not null,
  number smallint not null,
  -- The most urgent of the device.
  is_first boolean not null,
  since timestamptz not null,
  computed_at timestamptz not null,
  -- The contract's `finding`, without kind and time.
  evidence jsonb not null,
  primary key (organization_id, device_id, kind)
);
create index device_diagnoses_in_order on device_diagnoses (organization_id, number, device_id) where is_first;
create index device_diagnoses_of_main_in_order on device_diagnoses (main_account_id, number, device_id) where is_first;
create index device_diagnoses_by_kind on device_diagnoses (organization_id, kind, device_id);
create index device_diagnoses_of_main_by_kind on device_diagnoses (main_account_id, kind, device_id);
create index device_diagnoses_by_age on device_diagnoses (computed_at);

-- How far the job is; one row.
create table diagnosis_pass (
  only_row boolean primary key default true check (only_row),
  -- The end of the hours that the last complete pass over all devices looked at.
  computed_until timestamptz not null,
  -- The same of the pass that runs, and its last device; null = none runs.
  target timestamptz,
  after_device uuid,
  -- Devices whose connections, identity or positions changed before this time were looked at again.
  looked_until timestamptz not null,
  -- Minutes before this time were searched for connections that a fleet lost together.
  searched_until timestamptz not null
);
insert into diagnosis_pass (computed_until, looked_until, searched_until) values ('-infinity', '-infinity', '-infinity');

-- Minutes in which a good part of an organization's vehicles on one carrier lost their connections: no fault of the routers. Kept for two days.
create table shared_losses (
  organization_id uuid not null,
  minute timestamptz not null,
  carrier text collate "C" not null,
  devices integer not null,
  primary key (organization_id, minute, carrier)
);
create index shared_losses_by_age on shared_losses (minute);

-- Devices online and in all, summed over the moments of an hour (online_shares), for an organization and for its main account: what is usual for
-- an hour of the week. Kept for eight weeks and a day.
create table online_hours (
  -- The organization, or the main account.
  owner_id uuid not null,
  main_account_id uuid not null,
  hour timestamptz not null,
  online bigint not null,
  devices bigint not null,
  primary key (owner_id, hour)
) with (fillfactor = 80);
create index online_hours_by_age on online_hours (hour);

grant select, insert, update, delete on device_diagnoses, shared_losses, online_hours to highline_serve;
grant select, update on diagnosis_pass to highline_serve;
