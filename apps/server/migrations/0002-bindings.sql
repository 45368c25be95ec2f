-- Firmware, config files, and the bindings that carry them to the routers of a group (docs/decisions/0004-rollouts.md).

-- The catalogue of a main account (FWR-01, FWR-02). The image itself lies in the blob store under its SHA-256.
create table firmware (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  version text collate "C" not null,
  -- The device model the image is for, as routers report it.
  profile text collate "C" not null,
  note text not null default '',
  -- As it was uploaded; shown, never used as a path.
  file_name text not null,
  -- Bytes, with the trailer.
  size bigint not null check (size > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- Fingerprint of the key that signed the trailer; null for an image without one, which routers check by SHA-256 alone.
  signed_by text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (main_account_id, profile, version)
);
create index firmware_by_age on firmware (main_account_id, updated_at desc, id desc);
create index firmware_by_blob on firmware (sha256);

-- Config files of an organization (CFG-01 … CFG-03). Uploading a name again makes a new version of the same file.
create table config_files (
  organization_id uuid not null references organizations,
  id uuid not null unique,
  name text collate "C" not null,
  note text collate "C" not null default '',
  -- The newest version's number.
  current_version integer not null default 1,
  -- Counts saves, for ETag.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index config_files_by_name on config_files (organization_id, name collate "C");
create index config_files_by_age on config_files (organization_id, updated_at desc, id desc);

-- Contents are encrypted under the master key: they hold secrets. Small by limit (1 MiB), so they stay in the database.
create table config_versions (
  organization_id uuid not null,
  config_id uuid not null,
  number integer not null,
  -- Bytes and SHA-256 of the contents before encryption.
  size integer not null check (size > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- AES-256-GCM: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
  sealed bytea not null,
  created_at timestamptz not null default now(),
  created_by text not null default '',
  primary key (organization_id, config_id, number),
  foreign key (organization_id, config_id) references config_files (organization_id, id) on delete cascade
);

-- What a group's routers should have; at most one of each kind is in force. An ended one is kept as history for a while.
create table bindings (
  id uuid primary key,
  organization_id uuid not null,
  group_key text collate "C" not null,
  kind text collate "C" not null check (kind in ('firmware', 'config')),
  firmware_id uuid references firmware,
  config_id uuid,
  config_number integer,
  -- What the routers are compared with: the firmware's version, or the config file's name.
  label text collate "C" not null,
  schedule text collate "C" not null check (schedule in ('immediate', 'bootup')),
  -- Only with 'bootup': not before this moment.
  postpone_until timestamptz,
  state text collate "C" not null default 'running' check (state in ('running', 'paused', 'cancelled')),
  -- Why it is paused: 'person', or 'threshold' when too many failed.
  paused_reason text collate "C",
  -- Percent of the finished that may fail before the rollout pauses itself.
  failure_threshold integer not null default 20 check (failure_threshold between 1 and 100),
  -- Routers that go first; the others follow when all of these are successful. 0 = all at once.
  canaries integer not null default 0 check (canaries >= 0),
  -- Who finished before does not count for the threshold: set anew when a person resumes.
  counted_from timestamptz not null default now(),
  created_by text not null default '',
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  foreign key (organization_id, group_key) references groups (organization_id, key) on delete cascade,
  foreign key (organization_id, config_id, config_number) references config_versions (organization_id, config_id, number),
  check ((kind = 'firmware') = (firmware_id is not null)),
  check ((kind = 'config') = (config_id is not null and config_number is not null)),
  check (postpone_until is null or schedule = 'bootup')
);
create unique index bindings_in_force on bindings (organization_id, group_key, kind) where ended_at is null;
create index bindings_of_firmware on bindings (firmware_id) where firmware_id is not null;
create index bindings_of_config on bindings (organization_id, config_id) where config_id is not null;
create index bindings_ended on bindings (ended_at) where ended_at is not null;

-- One router on its way to a binding. Exists for every device of the group while the binding is in force.
create table rollout_targets (
  organization_id uuid not null,
  binding_id uuid not null references bindings on delete cascade,
  device_id uuid not null,
  router_id uuid not null,
  state text collate "C" not null default 'waiting' check (state in (
    'waiting', 'downloading', 'verifying', 'applying', 'rebooting', 'successful', 'failed', 'rolled-back', 'unsupported')),
  -- Why it waits, failed or was rolled back: a code of the contract's rolloutReasons, or the router's own words.
  reason text,
  -- Of the download, 0 to 100.
  percent smallint not null default 0 check (percent between 0 and 100),
  attempt integer not null default 0,
  is_canary boolean not null default false,
  -- How far its step is: 'idle' none, 'sent' the router was told to begin, 'downloaded' but not yet chosen for the next boot, 'staged' for
  -- it, 'applied' as the router says, and about to be checked.
  phase text collate "C" not null default 'idle' check (phase in ('idle', 'sent', 'downloaded', 'staged', 'applied')),
  -- The step under way: USP command key; the same key is sent again after a crash, and the router goes on where it was.
  step_key text collate "C",
  -- Path of the FirmwareImage or VendorConfigFile that the step is for.
  slot text collate "C",
  -- When it was sent for the first time, and when last (or when it ended, while it is 'applied').
  step_begun_at timestamptz,
  step_sent_at timestamptz,
  -- When the router answered that it begins.
  step_taken_at timestamptz,
  -- How often the step was sent since anything was last heard of it.
  sends smallint not null default 0,
  -- When it is to be looked at next; null = when something happens.
  due_at timestamptz,
  -- When it was last looked at.
  looked_at timestamptz,
  -- SHA-256 of the password of the step's download address; it opens for this router and this step alone.
  download_hash bytea,
  download_until timestamptz,
  -- 'sha256+signature' or 'sha256': what this router verifies.
  checked_by text collate "C",
  updated_at timestamptz not null default now(),
  primary key (binding_id, device_id),
  foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade
);
-- The few that are not done, for counts and for the work at hand.
create index rollout_targets_open on rollout_targets (binding_id, state, device_id) where state <> 'successful';
create index rollout_targets_by_router on rollout_targets (router_id, binding_id);
create index rollout_targets_by_device on rollout_targets (organization_id, device_id);
create unique index rollout_targets_by_step on rollout_targets (step_key) where step_key is not null;
create index rollout_targets_due on rollout_targets (due_at) where due_at is not null;
create index rollout_targets_sent on rollout_targets (router_id) where phase = 'sent';
-- Who waits for a free place among the downloads, first come first served.
create index rollout_targets_queued on rollout_targets (updated_at) where reason = 'queued' and due_at is null;
create index rollout_targets_by_age on rollout_targets (binding_id, updated_at desc, device_id);

-- The version of the config file in force, as the router tells it.
alter table devices add column config_version text collate "C";

grant select, insert, update, delete on firmware, config_files, config_versions, bindings, rollout_targets to highline_serve;
