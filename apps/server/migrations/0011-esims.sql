-- eSIM profiles (SIM-01 … SIM-10): what routers should have on their eUICCs, and how far they are on the way there
-- (docs/decisions/0008-esim-profiles.md).
create table esim_profiles (
  organization_id uuid not null,
  id uuid not null unique,
  main_account_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  -- Of the router, for lists that are sorted and searched by it.
  serial text collate "C" not null,
  -- As it was typed or told when the profile was added.
  eid text collate "C" not null default '',
  is_preloaded boolean not null default false,
  -- Who holds an activation code can download the profile it stands for: sealed under the master key for this profile. Null where
  -- there is none: of the preloaded profile, and of those that a router had before anybody added them.
  sealed_code bytea,
  iccid text collate "C" not null default '',
  apn text collate "C" not null default '',
  apn2 text collate "C" not null default '',
  name text collate "C" not null default '',
  -- As the router tells it.
  carrier text collate "C" not null default '',
  status text collate "C" not null check (status in ('Assigning...', 'Downloading...', 'Activated', 'In Use', 'Deleting...',
    'Fail to download', 'Fail to activate', 'Out of memory')),
  -- Why the last step failed: a code, or a code with the router's own words.
  reason text not null default '',
  -- 1 = tried first; no two of a router are the same.
  priority smallint not null check (priority between 1 and 99),
  -- Counts what people change, for ETag.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Where it is on the router's eUICC; null = it is not there, as far as is known.
  path text collate "C",
  -- The step under way: its command, and its USP command key, which is sent again after a crash so that the router goes on where it was.
  step text collate "C" check (step in ('download', 'enable', 'delete')),
  step_key text collate "C",
  -- When it was sent for the first time, and when last.
  step_begun_at timestamptz,
  step_sent_at timestamptz,
  -- When the router answered that it begins.
  step_taken_at timestamptz,
  -- How often it was sent since anything was last heard of it.
  sends smallint not null default 0,
  -- When its router is to be looked at next; null = when something happens.
  due_at timestamptz,
  -- When its router was last looked at.
  looked_at timestamptz,
  -- Access points, name and priority as they were sent last, while the router does not tell them so: the same are not sent twice.
  settings_sent text,
  primary key (organization_id, id),
  -- A device that is transferred takes its profiles along (OGL-04); one that is purged, too.
  foreign key (organization_id, device_id) references devices (organization_id, id) on update cascade on delete cascade,
  check ((step is null) = (step_key is null))
);
-- One index for each column that the list is sorted by, and one for each that it is searched by.
create index esims_by_serial on esim_profiles (organization_id, serial, priority, id);
create index esims_by_name on esim_profiles (organization_id, name, serial, id);
create index esims_by_carrier on esim_profiles (organization_id, carrier, serial, id);
create index esims_by_iccid on esim_profiles (organization_id, iccid, id);
create index esims_by_apn on esim_profiles (organization_id, apn, serial, id);
create index esims_by_status on esim_profiles (organization_id, status, serial, id);
create index esims_by_age on esim_profiles (organization_id, updated_at, id);
create index esims_of_main_by_serial on esim_profiles (main_account_id, serial, priority, id);
create index esims_serial_search on esim_profiles using gin (serial gin_trgm_ops);
create index esims_name_search on esim_profiles using gin (name gin_trgm_ops);
create index esims_carrier_search on esim_profiles using gin (carrier gin_trgm_ops);
create index esims_iccid_search on esim_profiles using gin (iccid gin_trgm_ops);
create index esims_apn_search on esim_profiles using gin (apn gin_trgm_ops);
-- The work at hand.
create index esims_of_device on esim_profiles (organization_id, device_id);
create index esims_of_router on esim_profiles (router_id, priority);
create index esims_due on esim_profiles (due_at) where due_at is not null;
create index esims_open on esim_profiles (looked_at) where status in ('Assigning...', 'Downloading...', 'Deleting...');

-- What happens to profiles stands on the timelines of their routers.
alter table router_events drop constraint router_events_kind_check;
alter table router_events add constraint router_events_kind_check check (kind in ('rollout', 'alarm', 'remote', 'sim'));

grant select, insert, update, delete on esim_profiles to highline_serve;
