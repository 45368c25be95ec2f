-- The schema of Highline 0.2.0, by domain. Ids come from the program (uuid v7); key columns compare as bytes (collate "C").
-- Every key of a tenant's table begins with the organization; what must be unique over all tenants has a table of its own.
-- Later migrations only add (docs/decisions/0036-migrations-expand-and-contract.md). The role highline_serve has the rights granted here and in them.

-- The base: names, partitions by day, processes ---------------------------------------------------

create extension if not exists pg_trgm;

-- The order of names in lists, the same as `compareNames` of the contract: numbers by value, without case, umlauts behind their letter. It is
-- deterministic: names that differ in case only are ordered by their bytes.
create collation natural_order (provider = icu, locale = 'de-AT-u-co-phonebk-kn-true-ks-level2');

-- Tables with one partition for each day, kept as long as readings are.
create function partitioned_by_day() returns text[] language sql immutable as $$
  select array['telemetry', 'telemetry_reports', 'telemetry_hours', 'telemetry_days', 'connectivity']
$$;

-- A partition of a day is made by itself and then attached: `create table … partition of` locks out every reader of the parent, and deadlocked with
-- a report that read two of the parents. Attaching waits for no reader and no writer.
create function add_day_partition(parent text, day date) returns void
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(quote_ident(child)) is not null then return; end if;
  for attempt in 1..5 loop
    begin
      execute format('create table %I (like %I including all)', child, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
        to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
      return;
    exception when lock_not_available or deadlock_detected then
      -- An index of the parent is being built, or a partition dropped.
      if attempt = 5 then raise; end if;
    end;
  end loop;
end $$;

-- Drop the oldest partition of these tables before a day, if there is one. It has to lock out the readers of its parent, so it is the only one of its
-- transaction: two parents locked one after the other deadlock with who reads both.
create function drop_oldest_partition(parents text[], day date) returns integer
language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  child name;
begin
  select c.relname into child from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  join pg_class p on p.oid = i.inhparent
  where p.relname = any (parents) and p.relnamespace = current_schema()::regnamespace
    and right(c.relname, 8) < to_char(day, 'YYYYMMDD')
  order by right(c.relname, 8), p.relname limit 1;
  if child is null then return 0; end if;
  for attempt in 1..3 loop
    begin
      execute format('drop table if exists %I', child);
      return 1;
    exception when lock_not_available or deadlock_detected then
      -- Those who waited behind this one go first.
      if attempt = 3 then raise; end if;
      perform pg_sleep(0.2);
    end;
  end loop;
end $$;

-- Names are compared without case, with composed letters and one kind of blank (docs/domains/devices.md): the same as
-- `nameKey` of the contract.
create function name_key(name text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(btrim(regexp_replace(normalize(name, nfc), '[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]', ' ', 'g')),
    ' {2,}', ' ', 'g') collate "und-x-icu") collate "C"
$$;

-- A name that is marked as a duplicate is in no unique index until it gets another one.
create function clear_duplicate_name() returns trigger language plpgsql as $$
begin
  new.is_duplicate_name := false;
  return new;
end $$;

-- Facts about this installation: its id, whether a demo filled it, when its schema came.
create table installation (
  key text collate "C" primary key,
  value jsonb not null
);

-- Keys that all processes of an installation share, sealed with the master key. Only the owner reads them, at the start; the serving
-- role has no right to this table.
create table installation_keys (
  purpose text collate "C" primary key,
  -- Public name of the key: SHA-256 of its public half (audit: hex of SPKI; ssh-host: as ssh-keygen -l prints it).
  key_id text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

-- Fixed windows of rate limits; a row is worthless once its window ended.
create table rate_windows (
  key text collate "C" primary key,
  hits integer not null,
  ends_at timestamptz not null
);
create index rate_windows_by_end on rate_windows (ends_at);

-- What changed, written in the transaction that changed it; read in commit order by (xid, position).
create table outbox (
  xid xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity,
  main_account_id uuid,
  organization_id uuid,
  topic text collate "C" not null,
  ids text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (xid, position)
);
create index outbox_by_time on outbox (created_at);

-- One row per process that serves: written every few seconds, so that /healthz notices a database that answers reads and rejects writes.
create table write_probes (
  process uuid primary key,
  at timestamptz not null
);

-- Which server process holds the connection of which router. Each start of a process is a row here, and renews its lease every few seconds by the
-- clock of this database; one whose lease lapsed is ended by another process, and never again active. Ended rows are deleted after some days.
create table nodes (
  -- New at each start.
  id uuid primary key,
  -- The same after a restart of the same process on the same folder.
  name text not null,
  version text not null,
  started_at timestamptz not null default now(),
  lease_until timestamptz not null,
  ended_at timestamptz,
  -- Processes reach each other through NATS. has_bus: this start was given one; null = it does not say.
  has_bus boolean,
  -- Check values of the master keys that a process knows, and of the one it seals with; null = not known. `highline key rotate` waits
  -- for them (docs/domains/platform.md).
  known_keys text[],
  sealing_key text,
  -- The name of a process for people, in log lines and messages: HIGHLINE_NODE_NAME or that of its machine. Null = its version knows none.
  host text,
  -- How many routers are connected to a process, as of its last renewal: those with many more than the others send some to them. Null = its
  -- version does not say it.
  routers integer
) with (fillfactor = 50);
-- Orders the sockets of a router over all processes: each socket takes the next number when its credentials are looked up.
create sequence connection_epochs;
grant usage on sequence connection_epochs to highline_serve;

-- Calls to other processes whose result is recorded. The process that sent the call and the one that executed it both try, so that the
-- result of a call is in the log once, whichever of them ends meanwhile. Minutes old at most.
create table recorded_calls (
  id uuid primary key,
  recorded_at timestamptz not null default now()
);
create index recorded_calls_by_time on recorded_calls (recorded_at);

grant select on installation to highline_serve;
grant select, insert, update, delete on rate_windows, outbox, write_probes, nodes to highline_serve;
grant select, insert, delete on recorded_calls to highline_serve;
revoke all on function add_day_partition(text,date), drop_oldest_partition(text[],date), partitioned_by_day() from public;

-- Organizations and accounts ----------------------------------------------------------------------

create table main_accounts (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table organizations (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  name text not null,
  phone text not null default '',
  address text not null default '',
  description text not null default '',
  tags text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- A wizard that is sent twice creates one organization: it brings a key of its own making, and the second finds the first.
  request_key uuid,
  -- A deleted organization is purged after its grace. Its row stays, emptied: it says whose audit chain it is.
  purged_at timestamptz,
  -- Days that an organization keeps readings and history; null, or more than the installation keeps (TELEMETRY_DAYS): those of the installation.
  retention_days integer check (retention_days between 1 and 3650)
);
create index organizations_by_name on organizations (main_account_id, name collate "C", id) where deleted_at is null;
create unique index organizations_by_request on organizations (main_account_id, request_key) where request_key is not null;
create index organizations_to_purge on organizations (deleted_at) where deleted_at is not null and purged_at is null;
create index organizations_with_retention on organizations (id) where retention_days is not null;
create index organizations_by_name_order on organizations (main_account_id, name collate natural_order, id)
  where deleted_at is null;

create table accounts (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  -- Second segment of the account's first role that is not the main account's; null for the main account's people.
  organization_id uuid references organizations,
  email text collate "C" not null unique,
  name text not null,
  -- PHC string of argon2id; null until a password was set.
  password_hash text,
  -- Strings `r.{org}.{role}` (AUTH-07).
  roles text[] not null default '{}',
  -- The account is a contact of its organization ("contacter").
  is_contact boolean not null default false,
  custom_data jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The language that a person was invited in.
  language text collate "C" check (language in ('en-US', 'zh-TW')),
  -- People of the main account itself: listed, and each with when they signed in last. Sessions are gone once they end; this stays.
  signed_in_at timestamptz
);
create index accounts_by_organization on accounts (organization_id, email) where organization_id is not null;
create index accounts_by_main_account on accounts (main_account_id, email);
-- Cloud users are listed and sorted by name (USR-01).
create index accounts_by_name on accounts (organization_id, name collate "C", id) where organization_id is not null;
-- They are few among a main account's thousands.
create index accounts_of_main on accounts (main_account_id, name collate "C", id)
  where 'r.kmpService.vendor.super' = any (roles);

create table sessions (
  -- SHA-256 of the bearer; the bearer itself is stored nowhere.
  bearer_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null
);
create index sessions_by_account on sessions (account_id);
create index sessions_by_expiry on sessions (expires_at);

-- One-time links sent by mail.
create table mailed_links (
  secret_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  purpose text collate "C" not null check (purpose in ('reset-password', 'invitation')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The name of the sender of an invitation, as its mail has it: the page of the link says it too. Null = sent by a version that did not store it.
  inviter text
);
create index mailed_links_by_expiry on mailed_links (expires_at);
-- For the open invitation of each person of a page, and for the links of a deleted account.
create index mailed_links_by_account on mailed_links (account_id, created_at);

-- The way into an installation that has no account yet: one link at a time, printed at the start, worthless once used.
create table setup_links (
  -- SHA-256 of the secret.
  secret_hash bytea primary key,
  created_at timestamptz not null default now()
);

-- A second factor of one's own choice: codes of an authenticator app (RFC 6238).
create table second_factors (
  account_id uuid primary key references accounts on delete cascade,
  -- The shared secret, sealed under the master key for this account.
  sealed_secret bytea not null,
  -- Null until a first code proved that the app has the secret; an unconfirmed one has no effect, and is purged.
  confirmed_at timestamptz,
  -- The time step whose code was taken last: neither it nor an older one is taken again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create index second_factors_unconfirmed on second_factors (created_at) where confirmed_at is null;

-- For the day the telephone is lost: each is taken once.
create table recovery_codes (
  account_id uuid not null references second_factors on delete cascade,
  -- SHA-256 of the account and the code.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

-- HKS-02: API keys of an organization or a main account (docs/domains/api-keys.md). The key itself is never stored, only SHA-256 of it.
-- Deleted 90 days after it ended, and with its organization.
create table api_keys (
  id uuid primary key,
  main_account_id uuid not null,
  -- Null: the main account and all of its organizations.
  organization_id uuid,
  name text not null,
  -- Ids of the operations that it may call.
  operations text[] collate "C" not null,
  -- Networks that it may be used from; empty = any.
  ranges cidr[] not null default '{}',
  secret_hash bytea not null,
  -- The first and last characters, to recognize it by.
  hint text collate "C" not null,
  -- The key before the last rotation, valid until then.
  previous_hash bytea,
  previous_until timestamptz,
  -- Without a foreign key: the key outlives its maker, and then is of no use.
  made_by uuid not null,
  made_by_email text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  check ((previous_hash is null) = (previous_until is null))
);
create unique index api_keys_secret on api_keys (secret_hash);
create unique index api_keys_previous on api_keys (previous_hash) where previous_hash is not null;
create index api_keys_by_organization on api_keys (organization_id, id);
create index api_keys_of_main on api_keys (main_account_id, id);
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null;

-- HKS-04: calls that were sent with an Idempotency-Key (docs/domains/api-keys.md). Deleted 24 hours after they began.
create table idempotent_calls (
  -- The API key or account that made the call.
  owner_id uuid not null,
  key text collate "C" not null,
  operation text collate "C" not null,
  -- SHA-256 of the operation and of everything that was sent.
  request_hash bytea not null,
  started_at timestamptz not null,
  -- While a process works on it, renewed; a lapsed one of a call without an effect may begin again.
  leased_until timestamptz not null,
  -- Written in the transaction of the effect.
  applied_at timestamptz,
  -- The answer; null while there is none, or where it must not be stored.
  status smallint,
  answer text,
  -- Answers have activation codes of eSIMs and other secrets: those of calls with an Idempotency-Key are sealed under the master key.
  sealed_answer bytea,
  primary key (owner_id, key)
);
create index idempotent_calls_started on idempotent_calls (started_at);

-- Up to where what an organization no longer keeps was deleted.
create table organization_retention (
  organization_id uuid primary key,
  deleted_until timestamptz not null
);

-- Figures of each organization for the fleet overview of its main account (docs/domains/organizations.md): kept by a job after each change, so
-- that no page counts devices, and each figure has an index in its order.
create table organization_figures (
  organization_id uuid primary key references organizations (id) on delete cascade,
  main_account_id uuid not null,
  devices integer not null default 0,
  online integer not null default 0,
  -- Share of devices online in thousandths; null without devices.
  online_share integer generated always as (case when devices > 0 then online * 1000::bigint / devices end) stored,
  expiring integer not null default 0,
  -- Groups with failed routers in an active rollout, and with a paused one.
  failed_rollouts integer not null default 0,
  paused_rollouts integer not null default 0,
  -- The share of devices online is one of those that have connected.
  never_connected integer not null default 0,
  connected_share integer
    generated always as (case when devices > never_connected then online * 1000::bigint / (devices - never_connected) end) stored
);
create index organization_figures_online on organization_figures (main_account_id, online_share, organization_id);
create index organization_figures_devices on organization_figures (main_account_id, devices, organization_id);
create index organization_figures_expiring on organization_figures (main_account_id, expiring, organization_id);
create index organization_figures_failed on organization_figures (main_account_id, failed_rollouts, organization_id);
create index organization_figures_paused on organization_figures (main_account_id, organization_id) where paused_rollouts > 0;
create index organization_figures_connected on organization_figures (main_account_id, connected_share, organization_id);

create function add_organization_figures() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into organization_figures (organization_id, main_account_id) select o.id, o.main_account_id from added o;
  return null;
end $$;
create trigger organizations_added after insert on organizations referencing new table as added
  for each statement execute function add_organization_figures();

grant select, insert, update, delete on main_accounts, organizations, accounts, sessions, mailed_links, second_factors, recovery_codes,
  api_keys, idempotent_calls, organization_retention to highline_serve;
grant select, insert, delete on setup_links to highline_serve;
grant select, insert, update on organization_figures to highline_serve;

-- Groups, routers and devices ---------------------------------------------------------------------

create table groups (
  organization_id uuid not null references organizations,
  -- 'default+group+id' for the default group, else a uuid as text.
  key text collate "C" not null,
  name text not null,
  description text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- RPT-03: a group is tagged like an organization; what is tagged BD is cut into windows of an hour.
  tags text[] not null default '{}',
  -- How often routers of a group report their readings; null = as the installation sets (REPORT_SECONDS).
  report_seconds integer check (report_seconds between 10 and 86400),
  is_duplicate_name boolean not null default false,
  primary key (organization_id, key)
);
create unique index groups_by_name on groups (organization_id, name collate "C") include (key);
create unique index groups_by_name_key on groups (organization_id, name_key(name)) where not is_duplicate_name;
create index groups_by_name_order on groups (organization_id, name collate natural_order) include (key);
create trigger groups_renamed before update of name on groups for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();

-- Users who have Full Control of a group; all others of the organization only read it (OLD-01, docs/domains/older-model.md).
-- A right ends with its group and with its account.
create table group_controls (
  organization_id uuid not null,
  group_key text collate "C" not null,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (organization_id, group_key, account_id),
  foreign key (organization_id, group_key) references groups (organization_id, key) on delete cascade
);
create index group_controls_by_account on group_controls (account_id);

-- How often routers of a model report their readings, as their main account sets it; a group's own interval comes first (groups.report_seconds).
create table router_models (
  main_account_id uuid not null,
  -- As in the inventory.
  model text collate "C" not null,
  report_seconds integer not null check (report_seconds between 10 and 86400),
  updated_at timestamptz not null default now(),
  primary key (main_account_id, model)
);

-- The main account's inventory: every router it sells, and how that router was last seen.
create table routers (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  serial text collate "C" not null unique,
  -- 12 uppercase hex digits.
  mac text collate "C" not null unique,
  model text not null default '',
  endpoint_id text collate "C" not null unique,
  -- SHA-256 of the secret in the router's path.
  secret_hash bytea not null unique,
  previous_secret_hash bytea unique,
  previous_secret_until timestamptz,
  -- The device that claims it; both or neither.
  organization_id uuid references organizations,
  device_id uuid,
  presence text collate "C" not null default 'offline' check (presence in ('online', 'offline', 'unknown')),
  presence_since timestamptz,
  presence_reason text,
  clock_skew_ms integer,
  -- What the router last reported: the columns of `devices` that come from it.
  reported jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- Routers prove who they are by a secret, by a client certificate, by either, or by both.
  authentication text not null default 'secret'
    check (authentication in ('secret', 'certificate', 'either', 'both')),
  -- held_by: the node with the socket; null = no node has one. No foreign key: it would lock the row of the node at every connect.
  -- connection_epoch: the number of the socket that this state is about; an older socket changes nothing.
  held_by uuid,
  connection_epoch bigint not null default 0,
  is_duplicate_serial boolean not null default false,
  check ((organization_id is null) = (device_id is null))
);
create index routers_by_main_account on routers (main_account_id, serial, id);
create index routers_by_mac on routers (main_account_id, mac, id);
create index routers_by_model on routers (main_account_id, model collate "C", serial, id);
create index routers_by_organization on routers (main_account_id, organization_id, serial, id);
create index routers_by_state on routers (main_account_id, presence, serial, id);
create index routers_by_age on routers (main_account_id, id);
create index routers_serial_search on routers using gin (serial gin_trgm_ops);
create index routers_mac_search on routers using gin (mac gin_trgm_ops);
-- Routers in stock by model: what a batch of devices is taken from (OLD-04).
create index routers_free_by_model on routers (main_account_id, model collate "C", serial, id) where organization_id is null;
-- Endpoint ids are entered by the main account and searched in its inventory.
create index routers_endpoint_search on routers using gin (endpoint_id gin_trgm_ops);
create index routers_held on routers (held_by, id) where presence <> 'offline' and held_by is not null;
create index routers_not_held on routers (presence, presence_since) where presence <> 'offline' and held_by is null;
create unique index routers_by_serial_key on routers (upper(serial)) where not is_duplicate_serial;

-- Who owned a router when; the history of a router is read through these intervals.
create table router_ownership (
  router_id uuid not null,
  owned_from timestamptz not null,
  owned_until timestamptz,
  organization_id uuid not null,
  device_id uuid not null,
  primary key (router_id, owned_from)
);
-- For the retention of one organization.
create index router_ownership_by_organization on router_ownership (organization_id, router_id, owned_from);
-- For the trail of a device, also of the routers that it had before.
create index router_ownership_by_device on router_ownership (device_id, owned_from);

-- When a router was last in contact and how strong its signal was. Both change with every heartbeat and order no list, so they stand in a
-- narrow table of their own: written in batches every few minutes and when a connection begins or ends, never into `routers` or `devices`.
create table router_contacts (
  router_id uuid primary key references routers on delete cascade,
  last_contact_at timestamptz not null,
  -- dBm; null = the modem states none.
  rssi real,
  -- Whether the last signal strength is weak. Of its own, because an index on the strength itself would change with every report.
  is_weak boolean not null default false
) with (fillfactor = 50);
create index router_contacts_weak on router_contacts (router_id) where is_weak;

-- What routers report that seldom changes, one row for each change: records of reports. Of the router, read through ownership intervals.
create table router_facts (
  id bigint generated always as identity primary key,
  router_id uuid not null,
  at timestamptz not null default now(),
  -- A column of `devices` that the router reports.
  fact text collate "C" not null check (fact in ('carrier', 'technology', 'firmware', 'config', 'iccid')),
  -- Empty: the router has none any more.
  value text not null
);
create index router_facts_by_router on router_facts (router_id, at);
create index router_facts_by_time on router_facts (at);

-- What a router last reported that mails are sent about: an alarm's state, or when its password was changed.
create table router_alarms (
  router_id uuid not null references routers on delete cascade,
  alarm text collate "C" not null,
  device_id uuid not null,
  state text not null,
  changed_at timestamptz not null,
  primary key (router_id, alarm)
);

-- The last attempt of a router to connect that was rejected though its credential was right. One row per router; a connection removes it.
create table router_rejections (
  router_id uuid primary key references routers on delete cascade,
  at timestamptz not null,
  reason text not null,
  -- What the router sent in place of what was expected, sanitized and cut.
  received text,
  address text not null
);

-- The certificate authority of a main account: it signs the client certificates of its routers.
create table main_account_cas (
  main_account_id uuid primary key references main_accounts,
  -- PEM.
  certificate text not null,
  -- PKCS #8, sealed under the master key.
  sealed_key bytea not null,
  created_at timestamptz not null
);

-- Client certificates that were issued. A router is found by the fingerprint of what it shows, so that revoking needs no list of others.
create table router_certificates (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  router_id uuid not null references routers on delete cascade,
  -- Hex digits.
  serial_number text not null,
  -- SHA-256 of its DER.
  fingerprint bytea not null unique,
  subject text not null,
  -- As its subject alternative name says; the router's own may change afterwards.
  endpoint_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set when another one takes its place: it counts until then.
  retires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index router_certificates_by_router on router_certificates (router_id, created_at desc);

-- Firmware that a router has chosen for its next boot by a binding that has ended: it is to choose what it runs again (GRP-10).
create table boot_choices (
  router_id uuid primary key references routers on delete cascade,
  -- Path of the FirmwareImage that was chosen.
  slot text collate "C" not null,
  -- When the router is sent the request; null = when it connects.
  due_at timestamptz
);
create index boot_choices_due on boot_choices (due_at) where due_at is not null;

-- An organization's record of a router. Columns below `version` are reported by the router (DEV-09) and copied here for the lists.
create table devices (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  router_id uuid not null,
  serial text collate "C" not null,
  mac text collate "C" not null,
  group_key text collate "C" not null,
  vehicle_number text collate "C" not null default '',
  note text collate "C" not null default '',
  -- First and last day of the subscription; both or neither.
  started_on date,
  expires_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  version integer not null default 1,
  presence text collate "C" not null default 'offline' check (presence in ('online', 'offline', 'unknown')),
  presence_since timestamptz,
  presence_reason text,
  model text collate "C",
  hardware_version text collate "C",
  firmware text collate "C",
  config text collate "C",
  booted_at timestamptz,
  -- A router that cannot be reached has no uptime.
  up_since timestamptz generated always as (case when presence = 'online' then booted_at end) stored,
  carrier text collate "C",
  technology text collate "C",
  imei text collate "C",
  imsi text collate "C",
  iccid text collate "C",
  mtn text collate "C",
  eid text collate "C",
  -- The version of the config file in force, as the router reports it.
  config_version text collate "C",
  -- The mobile network's cell that serves a router, as it reports it (Device.Cellular.Interface.{i}.X_HIGHLINE_CellID).
  cell_id text collate "C",
  -- BLK-02: tags of a device, compared letter by letter.
  tags text[] not null default '{}',
  -- The health of devices, 0 to 100; null = unknown (docs/domains/devices.md). In the row of the device, because lists are sorted and filtered by it.
  health smallint check (health between 0 and 100),
  primary key (organization_id, id),
  foreign key (organization_id, group_key) references groups (organization_id, key),
  check ((started_on is null) = (expires_on is null))
) with (fillfactor = 85);
-- A router is one live device at most.
create unique index devices_by_router on devices (router_id) where archived_at is null;
create index devices_archived on devices (archived_at) where archived_at is not null;
-- A main account names a device without naming its organization.
create index devices_by_id on devices (id);
-- One index per column an organization sorts or searches by; ties are broken by the serial number. Each also holds what a jump to a page
-- and the counts of the page (how many, how many online) need, so that neither touches the table.
create index devices_by_serial on devices (organization_id, serial, id) where archived_at is null;
create index devices_by_vehicle on devices (organization_id, vehicle_number, serial, id) include (presence) where archived_at is null;
create index devices_by_model on devices (organization_id, model, serial, id) where archived_at is null;
create index devices_by_uptime on devices (organization_id, up_since, id) where archived_at is null;
create index devices_by_group on devices (organization_id, group_key, serial, id) include (presence) where archived_at is null;
create index devices_by_firmware on devices (organization_id, firmware, serial, id) where archived_at is null;
create index devices_by_config on devices (organization_id, config, serial, id) include (presence) where archived_at is null;
create index devices_by_carrier on devices (organization_id, carrier, presence, serial, id) where archived_at is null;
create index devices_by_presence on devices (organization_id, presence, serial, id) where archived_at is null;
create index devices_by_expiry on devices (organization_id, expires_on, serial, id) include (started_on, presence) where archived_at is null;
-- What a main account sorts all of its devices by (OGL-01), and counts them by.
create index devices_of_main_by_serial on devices (main_account_id, serial, id)
  include (organization_id, presence) where archived_at is null;
create index devices_of_main_by_expiry on devices (main_account_id, expires_on, serial, id)
  include (organization_id, started_on, presence) where archived_at is null;
create index devices_of_main_by_model on devices (main_account_id, model, serial, id) include (organization_id) where archived_at is null;
create index devices_of_main_by_carrier on devices (main_account_id, carrier, presence) where archived_at is null;
create index devices_serial_search on devices using gin (serial gin_trgm_ops) where archived_at is null;
create index devices_vehicle_search on devices using gin (vehicle_number gin_trgm_ops) where archived_at is null;
create index devices_config_search on devices using gin (config gin_trgm_ops) where archived_at is null;
-- The devices that have a tag: the filter of lists, and the tags of an organization with their numbers. Devices without tags cost nothing.
create index devices_by_tag on devices using gin (tags) where archived_at is null and tags <> '{}';
create index devices_tagged on devices (organization_id, id) where archived_at is null and tags <> '{}';
-- Filters of the device lists that the overview links to (docs/domains/organizations.md).
create index devices_offline_since on devices (organization_id, presence_since, id)
  where archived_at is null and presence = 'offline';
create index devices_of_main_offline_since on devices (main_account_id, presence_since, id)
  where archived_at is null and presence = 'offline';
-- Device lists sorted and filtered by health.
create index devices_by_health on devices (organization_id, health, serial, id) where archived_at is null;
create index devices_of_main_by_health on devices (main_account_id, health, serial, id) where archived_at is null;
-- Lists in the order of their names. Like the others, the one of vehicles holds what counts need.
create index devices_by_vehicle_order on devices (organization_id, vehicle_number collate natural_order, serial, id)
  include (presence) where archived_at is null;

-- The numbers by which the palette finds a device (docs/domains/views.md). They have a table of their own, because an index on
-- `devices` would get a new entry with each change of a connection.
create table device_identifiers (
  device_id uuid not null,
  kind text collate "C" not null check (kind in ('iccid', 'imei', 'mtn', 'mac')),
  value text collate "C" not null,
  organization_id uuid not null,
  main_account_id uuid not null,
  primary key (device_id, kind)
);
create index device_identifiers_by_value on device_identifiers (organization_id, value) include (device_id, kind);
create index device_identifiers_of_main on device_identifiers (main_account_id, value) include (device_id, kind);
create index device_identifiers_search on device_identifiers using gin (value gin_trgm_ops);

-- How many living devices an organization has per group, carrier and connection state: the totals of lists, of groups and of the overview, without
-- counting rows. Triggers add the difference of each statement as further rows; the sum of all rows is exact in every snapshot. No row is ever
-- updated, so that changes of one organization do not wait for each other. A job merges the rows (devices.counts.ts).
create table device_counts (
  organization_id uuid not null,
  main_account_id uuid not null,
  group_key text collate "C" not null,
  carrier text collate "C",
  presence text collate "C" not null,
  devices bigint not null,
  -- False once it was merged.
  is_new boolean not null default true
) with (autovacuum_vacuum_scale_factor = 0.2, autovacuum_vacuum_threshold = 1000);
create index device_counts_by_group on device_counts (organization_id, group_key) include (carrier, presence, devices);
create index device_counts_of_main on device_counts (main_account_id) include (organization_id, carrier, presence, devices);
create index device_counts_new on device_counts (organization_id) where is_new;

-- How many devices of an organization were online at a moment, every five minutes, for eight days.
create table online_shares (
  organization_id uuid not null,
  main_account_id uuid not null,
  at timestamptz not null,
  online integer not null check (online >= 0),
  devices integer not null check (devices >= online),
  primary key (organization_id, at)
);
create index online_shares_of_main on online_shares (main_account_id, at) include (online, devices);
create index online_shares_by_age on online_shares (at);

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

create function count_added_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier, counted_presence(d.presence, d.presence_since), count(*)
  from added d where d.archived_at is null group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger devices_added after insert on devices referencing new table as added
  for each statement execute function count_added_devices();

create function count_removed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier, counted_presence(d.presence, d.presence_since), -count(*)
  from removed d where d.archived_at is null group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger devices_removed after delete on devices referencing old table as removed
  for each statement execute function count_removed_devices();

create function count_changed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select organization_id, main_account_id, group_key, carrier, presence, sum(n) from (
    select d.organization_id, d.main_account_id, d.group_key, d.carrier, counted_presence(d.presence, d.presence_since) as presence, 1 as n
    from added d where d.archived_at is null
    union all
    select d.organization_id, d.main_account_id, d.group_key, d.carrier, counted_presence(d.presence, d.presence_since), -1
    from removed d where d.archived_at is null
  ) changed group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  return null;
end $$;
create trigger devices_changed after update on devices referencing old table as removed new table as added
  for each statement execute function count_changed_devices();

create function count_no_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from device_counts;
  return null;
end $$;
create trigger devices_emptied after truncate on devices for each statement execute function count_no_devices();

create function identify_added_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_identifiers (device_id, kind, value, organization_id, main_account_id)
  select d.id, i.kind, i.value, d.organization_id, d.main_account_id
  from added d cross join lateral (values ('iccid', d.iccid), ('imei', d.imei), ('mtn', d.mtn), ('mac', d.mac)) i (kind, value)
  where d.archived_at is null and i.value <> '';
  return null;
end $$;
create trigger devices_identified after insert on devices referencing new table as added
  for each statement execute function identify_added_devices();

create function identify_changed_device() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from device_identifiers where device_id = old.id;
  if new.archived_at is null then
    insert into device_identifiers (device_id, kind, value, organization_id, main_account_id)
    select new.id, i.kind, i.value, new.organization_id, new.main_account_id
    from (values ('iccid', new.iccid), ('imei', new.imei), ('mtn', new.mtn), ('mac', new.mac)) i (kind, value)
    where i.value <> '';
  end if;
  return null;
end $$;
-- Only where one of the numbers changed: connections and readings do not.
create trigger devices_identified_again after update of iccid, imei, mtn, mac, organization_id, archived_at on devices for each row
  when ((old.iccid, old.imei, old.mtn, old.mac, old.organization_id, old.archived_at)
    is distinct from (new.iccid, new.imei, new.mtn, new.mac, new.organization_id, new.archived_at))
  execute function identify_changed_device();

create function forget_removed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from device_identifiers i using removed d where i.device_id = d.id;
  return null;
end $$;
create trigger devices_forgotten after delete on devices referencing old table as removed
  for each statement execute function forget_removed_devices();

create function forget_all_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from device_identifiers;
  return null;
end $$;
create trigger devices_all_forgotten after truncate on devices for each statement execute function forget_all_devices();

-- Devices whose router never connected are counted apart from those that are offline: new routers in their boxes are no outage.
create function counted_presence(presence text, since timestamptz) returns text language sql immutable parallel safe as $$
  select case when presence = 'offline' and since is null then 'never' else presence end
$$;

grant select, insert, update, delete on groups, router_models, routers, router_ownership, router_contacts, router_alarms, router_rejections,
  main_account_cas, router_certificates, boot_choices, devices, device_health to highline_serve;
grant select, insert, delete on group_controls, router_facts, device_identifiers, device_counts, online_shares to highline_serve;
grant select, update on device_health_pass to highline_serve;

-- Saved views, commands, properties and bulk changes ----------------------------------------------

-- Saved views of lists (docs/domains/views.md).
create table saved_views (
  id uuid primary key,
  main_account_id uuid not null,
  -- Null: of the main account itself.
  organization_id uuid references organizations,
  -- Who made it. Null: that account was deleted, and the view is shared.
  account_id uuid references accounts on delete set null,
  list text collate "C" not null,
  name text not null,
  is_shared boolean not null default false,
  -- The contract's `viewContent`.
  content jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_duplicate_name boolean not null default false,
  check (is_shared or account_id is not null)
);
create unique index saved_views_by_name on saved_views (account_id, organization_id, list, name) nulls not distinct where account_id is not null;
create index saved_views_shared on saved_views (main_account_id, organization_id) where is_shared;
create unique index saved_views_by_name_key on saved_views (account_id, organization_id, list, name_key(name))
  nulls not distinct where account_id is not null and not is_duplicate_name;
create trigger saved_views_renamed before update of name on saved_views for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();

-- The view that a list opens with, for each person.
create table default_views (
  account_id uuid not null references accounts on delete cascade,
  organization_id uuid references organizations,
  list text collate "C" not null,
  view_id uuid not null references saved_views on delete cascade
);
create unique index default_views_by_list on default_views (account_id, organization_id, list) nulls not distinct;
create index default_views_of_view on default_views (view_id);

-- Commands that an organization made for its routers, out of a fixed set (OLD-03, docs/domains/older-model.md). At most 32 of one organization, 2 of them pinned: who
-- adds or pins holds the organization's row.
create table custom_commands (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text collate "C" not null,
  kind text collate "C" not null check (kind in ('reboot', 'identify', 'report', 'roaming', 'name', 'zone')),
  argument text not null default '',
  is_pinned boolean not null default false,
  created_at timestamptz not null,
  is_duplicate_name boolean not null default false,
  primary key (organization_id, id)
);
create unique index custom_commands_by_name on custom_commands (organization_id, name);
create unique index custom_commands_by_name_key on custom_commands (organization_id, name_key(name)) where not is_duplicate_name;
create trigger custom_commands_renamed before update of name on custom_commands for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();

-- Properties that an organization gave its devices, and what each device has of them (OLD-02, docs/domains/older-model.md). At most
-- 32 of one organization: who adds holds the organization's row. They go with their organization alone.
create table custom_properties (
  organization_id uuid not null references organizations,
  key text collate "C" not null,
  name text collate "C" not null,
  type text collate "C" not null check (type in ('bool', 'number', 'string', 'picture')),
  unit text not null default '' check (unit = '' or type = 'number'),
  created_at timestamptz not null,
  is_duplicate_name boolean not null default false,
  primary key (organization_id, key)
);
create unique index custom_properties_by_name on custom_properties (organization_id, name);
create unique index custom_properties_by_name_key on custom_properties (organization_id, name_key(name)) where not is_duplicate_name;
create trigger custom_properties_renamed before update of name on custom_properties for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();

-- A row where something was set: a value or a picture. It goes with its device, and before it when the device leaves the organization.
create table device_properties (
  organization_id uuid not null,
  device_id uuid not null,
  property_key text collate "C" not null,
  value jsonb,
  picture bytea,
  picture_type text collate "C" check (picture_type in ('image/png', 'image/jpeg', 'image/webp')),
  picture_size integer,
  picture_sha256 bytea,
  updated_at timestamptz not null,
  primary key (organization_id, device_id, property_key),
  foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade,
  foreign key (organization_id, property_key) references custom_properties (organization_id, key),
  check ((value is null) <> (picture is null)),
  check (num_nulls(picture, picture_type, picture_size, picture_sha256) in (0, 4))
);
-- Pictures are compressed already.
alter table device_properties alter column picture set storage external;
-- What an organization's pictures have together is summed up out of an index when one is added (OLD-02).
create index device_properties_pictures on device_properties (organization_id, picture_size) where picture_size is not null;

-- One change of many devices: a job, and an item for each of its devices (docs/domains/bulk-jobs.md). A job and its items are deleted 30 days
-- after it ended. Neither refers to a device or an organization by a foreign key: devices are purged earlier, and organizations stay.
create table bulk_jobs (
  id uuid primary key,
  main_account_id uuid not null,
  -- Null: devices of all organizations of the main account.
  organization_id uuid,
  action jsonb not null,
  -- It restores what another job changed.
  is_undo boolean not null default false,
  -- Where the items that are not there yet come from: a filter of the device list, or items of another job. Null = all are there.
  selection jsonb,
  -- The last one selected.
  selected_serial text collate "C",
  selected_id uuid,
  selected_n integer not null default 0,
  -- Who started it, as it was then.
  actor jsonb not null,
  state text collate "C" not null check (state in ('selecting', 'running', 'done', 'cancelled')),
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  -- The first item that no batch has taken.
  next_n integer not null default 1,
  -- Failures of the present batch in a row.
  attempts smallint not null default 0,
  due_at timestamptz not null,
  worked_at timestamptz,
  -- While commands are sent for it: until then no other process takes its next batch.
  leased_until timestamptz,
  -- The jobs that tried its failed items again, and that undid it.
  retried_by uuid,
  undone_by uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('selecting', 'running')))
);
create index bulk_jobs_active on bulk_jobs (due_at) where ended_at is null;
create index bulk_jobs_by_organization on bulk_jobs (organization_id, id);
create index bulk_jobs_of_main on bulk_jobs (main_account_id, id);
create index bulk_jobs_ended on bulk_jobs (ended_at) where ended_at is not null;

create table bulk_job_items (
  job_id uuid not null references bulk_jobs,
  n integer not null,
  organization_id uuid not null,
  device_id uuid,
  serial text collate "C" not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'sending', 'done', 'failed', 'skipped')),
  -- Why it failed or was skipped.
  reason text collate "C",
  -- The router's own message.
  message text,
  -- The value that the job replaced; what an undo restores.
  before jsonb,
  -- The value that an undo restores.
  target jsonb,
  subject text collate "C",
  primary key (job_id, n)
);
create index bulk_job_items_open on bulk_job_items (job_id, state, n) where state in ('failed', 'skipped');

-- The views that a person shared stay when the account is deleted; the others go with it, before the reference to it is emptied.
create function forget_views_of_account() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from saved_views v where v.account_id = old.id and not v.is_shared;
  return old;
end $$;
create trigger accounts_forget_views before delete on accounts for each row execute function forget_views_of_account();

grant select, insert, update, delete on saved_views, default_views, custom_commands, device_properties, bulk_jobs, bulk_job_items to
  highline_serve;
grant select, insert, delete on custom_properties to highline_serve;

-- Connectivity, readings and events of routers ----------------------------------------------------

-- The readings of `telemetry` by number.
create table telemetry_parameters (
  id smallint primary key,
  name text collate "C" not null unique,
  unit text not null
);
insert into telemetry_parameters (id, name, unit) values
  (1, 'rssi', 'dBm'), (2, 'rsrp', 'dBm'), (3, 'rsrq', 'dB'), (4, 'temperature', '°C'),
  (5, 'voltage', 'V'), (6, 'bytes_sent', 'B'), (7, 'bytes_received', 'B'), (8, 'battery', '%'), (9, 'sinr', 'dB');

-- Time series are partitioned by day; partitions come and go through ensure_partitions and drop_partitions_before. Older readings, one row
-- for each value; newer ones are in telemetry_reports.
create table telemetry (
  router_id uuid not null,
  at timestamptz not null,
  parameter smallint not null,
  value double precision not null
) partition by range (at);
create index telemetry_by_router on telemetry (router_id, parameter, at);
-- Records of many routers in the order of time. One router reports all of its parameters at one instant, which this index holds once:
-- it costs some ten bytes a value, and values arrive at its end.
create index telemetry_by_time on telemetry (at);

create table connectivity (
  router_id uuid not null,
  at timestamptz not null,
  kind text collate "C" not null,
  reason text not null
) partition by range (at);
create index connectivity_by_router on connectivity (router_id, at);
create index connectivity_by_time on connectivity (at);

-- What happened to a router apart from its connections: steps of rollouts, alarms. Of the router, read through ownership intervals.
create table router_events (
  id bigint generated always as identity primary key,
  router_id uuid not null,
  at timestamptz not null,
  kind text collate "C" not null check (kind in ('rollout', 'alarm', 'remote', 'sim')),
  -- 'firmware' or 'config'; of an alarm its name.
  subject text collate "C" not null,
  -- The file's name as it was bound.
  label text not null default '',
  state text collate "C" not null,
  reason text not null default '',
  rollout_id uuid,
  -- Remote sessions stand on the router's timeline; who opened one is read from the session, by its organization alone.
  remote_session_id uuid
);
create index router_events_by_router on router_events (router_id, at, id);
create index router_events_by_age on router_events using brin (at);

-- Measured values, one row for each report of a router: a column per reading, named as in facts.ts, null where the report has none.
create table telemetry_reports (
  router_id uuid not null,
  at timestamptz not null,
  rssi double precision,
  rsrp double precision,
  rsrq double precision,
  temperature double precision,
  voltage double precision,
  bytes_sent double precision,
  bytes_received double precision,
  battery double precision,
  -- The signal to interference and noise ratio (3GPP TS 36.214 and 38.215), reading number 9: it takes the place behind the others in the rollups, whose older rows end
  -- before it.
  sinr double precision
) partition by range (at);
create index telemetry_reports_by_router on telemetry_reports (router_id, at);
create index telemetry_reports_by_time on telemetry_reports (at);

-- What reports say per router and hour, and per router and day of UTC: count, sum, least and greatest value of each reading, at the place of its
-- number. Made out of telemetry_reports by a job; one row per router and time.
create table telemetry_hours (
  router_id uuid not null,
  -- When the hour begins.
  at timestamptz not null,
  counts integer[] not null,
  sums double precision[] not null,
  mins double precision[] not null,
  maxs double precision[] not null,
  primary key (router_id, at)
) partition by range (at);

create table telemetry_days (
  like telemetry_hours including indexes
) partition by range (at);

-- How far the job is; one row. Hours before closed_until are being rolled up or have been: who adds a report to one of them marks it in
-- telemetry_late. Hours from rolled_from to rolled_until have their rows, apart from those marks.
create table telemetry_rollup (
  only_row boolean primary key default true check (only_row),
  rolled_from timestamptz not null,
  closed_until timestamptz not null,
  rolled_until timestamptz not null
);
insert into telemetry_rollup (rolled_from, closed_until, rolled_until)
  select hour, hour, hour from date_trunc('hour', now() - interval '8 days', 'UTC') hour;

-- Not unique: a mark that another transaction relies on could be processed before that has committed.
create table telemetry_late (
  hour timestamptz not null,
  router_id uuid not null
);
create index telemetry_late_by_hour on telemetry_late (hour, router_id);

-- Readings that still have to be copied to the sink (TELEMETRY_SINK_URL), one row for each transaction that stored some.
create table telemetry_sink_batches (
  -- Ordered by time.
  id uuid primary key,
  created_at timestamptz not null default now(),
  reports integer not null,
  -- Rows of telemetry_reports in the binary format of COPY, without header and trailer.
  payload bytea not null
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 50000
);
-- Compression would cost more than it saves: a row exists for a second.
alter table telemetry_sink_batches alter column payload set storage external;

-- The process that copies to the sink; one row.
create table telemetry_sink (
  only_row boolean primary key default true check (only_row),
  node text not null default '',
  lease_until timestamptz not null default '-infinity'
);
insert into telemetry_sink default values;

-- The serving role cannot create or drop tables; it may call these two, which do so for the time series alone.
create function ensure_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  perform add_day_partition(parent, first_day + offset_days)
    from unnest(partitioned_by_day()) parent, generate_series(0, last_day - first_day) offset_days;
end $$;

-- Returns how many it dropped, at most one: call it until that is none, each time in a transaction of its own.
create function drop_partitions_before(day date) returns integer
language sql security definer set search_path from current as $$
  select drop_oldest_partition(partitioned_by_day(), day)
$$;

-- For a transaction that adds reports, before it adds any: the time before which their hours have to be marked. Until it ends, no hour is closed.
create function telemetry_closed_until() returns timestamptz language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('telemetry_reports'));
  return (select closed_until from telemetry_rollup);
end $$;

grant select on telemetry_parameters to highline_serve;
grant select, insert, update, delete on telemetry, connectivity, telemetry_reports, telemetry_hours, telemetry_days, telemetry_late,
  telemetry_sink_batches to highline_serve;
grant select, insert, delete on router_events to highline_serve;
grant select, update on telemetry_rollup, telemetry_sink to highline_serve;
revoke all on function drop_partitions_before(date), ensure_partitions(date,date), telemetry_closed_until() from public;
grant execute on function drop_partitions_before(date), ensure_partitions(date,date), telemetry_closed_until() to highline_serve;

-- The log -----------------------------------------------------------------------------------------

-- The audit log: one hash chain per organization, one for each main account. The serving role may add to it and read it, no more.
create table audit_entries (
  chain_id uuid not null,
  seq bigint not null,
  at timestamptz not null,
  actor_id uuid,
  actor_email text not null,
  actor_role text collate "C" not null,
  address text not null,
  action text not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  detail jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  -- The API key of an entry's actor; null = the actor was signed in. Covered by the hash where it is there.
  actor_key text,
  -- Key and parameters of the action of a log entry, for other languages (P14). Null: an entry of a version before it.
  sentence jsonb,
  primary key (chain_id, seq)
);
create index audit_entries_by_time on audit_entries (chain_id, at, seq);
-- Searching a log by parts of who, from where and what (LOG-01), at a million entries.
create index audit_entries_email_search on audit_entries using gin (actor_email gin_trgm_ops);
create index audit_entries_address_search on audit_entries using gin (address gin_trgm_ops);
create index audit_entries_action_search on audit_entries using gin (action gin_trgm_ops);
-- Entries of one person, and about one kind of thing, in the order of the log (LOG-01).
create index audit_entries_by_actor on audit_entries (chain_id, actor_email, at, seq);
create index audit_entries_by_kind on audit_entries (chain_id, subject_kind, at, seq);

create table audit_heads (
  chain_id uuid primary key,
  seq bigint not null,
  hash bytea not null
);

-- Retention of the log (docs/domains/logs.md), and what the timeline of a device is read from.

-- Up to where retention cut a log: the newest cut of each chain, with the server's signature over it.
create table audit_cuts (
  chain_id uuid primary key,
  seq bigint not null,
  hash bytea not null,
  at timestamptz not null,
  signature text not null
);

-- Which devices an entry is about, so that a device finds what people did to it, also among many. No part of the chain.
create table audit_devices (
  chain_id uuid not null,
  seq bigint not null,
  device_id uuid not null,
  at timestamptz not null,
  primary key (chain_id, seq, device_id)
);
create index audit_devices_by_device on audit_devices (chain_id, device_id, at, seq);

-- The serving role cannot delete entries; it may call this to remove the oldest ones of a log. How old they must be stands in
-- `installation`, which the serving role cannot write: an attacker with that role removes nothing that retention would not have removed.
create function cut_audit_log(chain uuid, up_to bigint, stated_at timestamptz, stated_signature text) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  days integer;
  last_hash bytea;
  removed bigint;
begin
  select value::text::integer into days from installation where key = 'log_retention_days';
  if days is null then
    raise exception 'It is not settled how long logs are kept.' using errcode = 'insufficient_privilege';
  end if;
  -- The newest entry stays, whatever its age: the chain goes on from it.
  perform 1 from audit_heads where chain_id = chain and seq > up_to for update;
  if not found then
    raise exception 'The newest entry of a log is never cut off.' using errcode = 'insufficient_privilege';
  end if;
  if exists (
    select 1 from audit_entries where chain_id = chain and seq <= up_to and at >= now() - make_interval(days => days)
  ) then
    raise exception 'An entry is not old enough to be cut off.' using errcode = 'insufficient_privilege';
  end if;
  select hash into last_hash from audit_entries where chain_id = chain and seq = up_to;
  if not found then
    return 0;
  end if;
  delete from audit_devices where chain_id = chain and seq <= up_to;
  delete from audit_entries where chain_id = chain and seq <= up_to;
  get diagnostics removed = row_count;
  insert into audit_cuts values (chain, up_to, last_hash, stated_at, stated_signature)
  on conflict (chain_id) do update set seq = excluded.seq, hash = excluded.hash, at = excluded.at, signature = excluded.signature;
  return removed;
end $$;

grant select, insert on audit_entries, audit_devices to highline_serve;
grant select, insert, update on audit_heads to highline_serve;
grant select on audit_cuts to highline_serve;
revoke all on function cut_audit_log(uuid,bigint,timestamp with time zone,text) from public;
grant execute on function cut_audit_log(uuid,bigint,timestamp with time zone,text) to highline_serve;

-- Mails and notifications -------------------------------------------------------------------------

create table mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  plain text not null,
  html text not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz default now(),
  attempts integer not null default 0,
  sent_at timestamptz,
  last_error text,
  organization_id uuid references organizations,
  kind text collate "C" not null default 'account',
  -- A mail with a secret link keeps its text under the master key, and no mail keeps its text once it was sent.
  sealed bytea,
  -- Of the link in mailed_links that the mail carries: it is taken back with it.
  link_hash bytea
);
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;
create index mails_by_time on mails (created_at);
-- Rejected for good, or given up after the last attempt.
create index mails_undelivered on mails (organization_id, id)
  where organization_id is not null and next_attempt_at is null and sent_at is null;
create index mails_waiting on mails (organization_id, recipient)
  where organization_id is not null and sent_at is null;
create index mails_by_link on mails (link_hash) where link_hash is not null;

-- Recipients of mails about events (NTF-01, NTF-02).
create table notification_subscriptions (
  organization_id uuid not null references organizations,
  mail text collate "C" not null,
  events text[] not null,
  -- Keys of the groups it is about; null for every group, also those to come.
  group_keys text[],
  -- As known when it was saved; the account's own language is the next guess.
  language text collate "C" check (language in ('en-US', 'zh-TW')),
  zone text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- SVC-02: the person at an address, as mails greet them. Empty where no name was given.
  recipient text not null default '',
  primary key (organization_id, mail)
);

-- What happened, each once: a second report of the same has the same key.
create table notification_events (
  organization_id uuid not null references organizations,
  id uuid not null,
  event text collate "C" not null,
  key text collate "C" not null,
  -- The group it concerns; null for what concerns the whole organization.
  group_key text collate "C",
  detail jsonb not null default '{}',
  -- Happened so often, at last then: what flaps within one minute is one row.
  times integer not null default 1,
  happened_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- When mails were written for it; null while that is to be done.
  notified_at timestamptz,
  primary key (organization_id, id)
);
create unique index notification_events_by_key on notification_events (organization_id, key);
create index notification_events_by_age on notification_events (created_at);
create index notification_events_pending on notification_events (organization_id, event, id) where notified_at is null;

-- Which mail was about which event: each recipient gets an event once.
create table notification_deliveries (
  organization_id uuid not null,
  event_id uuid not null,
  mail text collate "C" not null,
  mail_id uuid not null,
  primary key (organization_id, event_id, mail),
  foreign key (organization_id, event_id) references notification_events on delete cascade
);

-- After a mail about one kind of event, what follows of that kind is collected until then.
create table notification_throttles (
  organization_id uuid not null references organizations,
  event text collate "C" not null,
  until timestamptz not null,
  seconds integer not null,
  primary key (organization_id, event)
);

grant select, insert, update, delete on mails, notification_subscriptions, notification_events, notification_deliveries,
  notification_throttles to highline_serve;

-- Firmware, configurations and rollouts -----------------------------------------------------------

-- Firmware, config files, and the bindings that carry them to the routers of a group (docs/domains/rollouts.md).

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
  -- Routers that finished before do not count for the threshold: set again when a person resumes.
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
  -- Why it waits, failed or was rolled back: a code of the contract's rolloutReasons, or the router's own message.
  reason text,
  -- Of the download, 0 to 100.
  percent smallint not null default 0 check (percent between 0 and 100),
  attempt integer not null default 0,
  is_canary boolean not null default false,
  -- How far its step is: 'idle' none, 'sent' the command to begin was sent, 'downloaded' but not yet chosen for the next boot, 'staged' for
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
  -- How often the step was sent since its last report.
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
  -- An agent that restarts in the middle of a download or a restore may report the end of the command as failed (USP error 7022). The
  -- step is then sent again, so many times at most per attempt.
  interruptions smallint not null default 0 check (interruptions >= 0),
  -- Places among the downloads that run at the same time (docs/domains/rollouts.md).
  -- Since when a target has one; null = it has none. The claim below gives it, the engine takes it back with the end of the download.
  download_since timestamptz,
  -- What the overview needs to say which devices and rollouts need attention (docs/domains/organizations.md).
  -- The router's own message of a failure, next to our code for it.
  detail text,
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
create index rollout_targets_by_age on rollout_targets (binding_id, updated_at desc, device_id);
-- Those that have a place; those that wait for one, by organization and rollout; and those that are due, by organization.
create index rollout_targets_downloads on rollout_targets (organization_id, binding_id) where download_since is not null;
create index rollout_targets_queued on rollout_targets (organization_id, binding_id, updated_at, device_id)
  where reason = 'queued' and due_at is null;
create index rollout_targets_due_by_organization on rollout_targets (organization_id, due_at) where due_at is not null;

-- Small config files have places of their own among the downloads (docs/domains/rollouts.md).

-- Whether the file of a rollout is a config file of at most 64 KB: about as much as the commands and answers of its own step.
create function is_small_download(binding uuid) returns boolean language sql stable as $$
  select exists (select 1 from bindings b join config_versions v
      on v.organization_id = b.organization_id and v.config_id = b.config_id and v.number = b.config_number
    where b.id = binding and b.kind = 'config' and v.size <= 65536)
$$;

-- Give free places for small files, or for all others, to routers that wait, round robin: the organization with the fewest downloads of that kind first,
-- in it the rollout with the fewest, in it the router that waits longest. A place counts while its download runs and the router is connected, and
-- `unused` long before the download begins. A function, because the claims of several processes follow each other: each one must read what the
-- claim before it wrote, and a process that stops in the middle keeps no lock. Answers how many places are still free, and whether routers waited.
create function claim_downloads(small boolean, places integer, most integer, at timestamptz, unused interval, out free integer, out is_waiting boolean)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('claim_downloads'));
  with recursive used as materialized (
    select d.* from (
      select t.organization_id, t.binding_id, count(*) as downloads
      from rollout_targets t join routers r on r.id = t.router_id
      where t.download_since is not null
        and case when t.phase = 'sent' then r.presence = 'online' else t.download_since > at - unused end
      group by t.organization_id, t.binding_id offset 0) d
    where is_small_download(d.binding_id) = small
  ), available as materialized (
    select greatest(0, places - coalesce(sum(u.downloads), 0))::integer as count from used u
  ), waiting as (
    (select q.organization_id, q.binding_id from rollout_targets q where q.reason = 'queued' and q.due_at is null
      order by q.organization_id, q.binding_id limit 1)
    union all
    select n.* from waiting p cross join lateral (
      select q.organization_id, q.binding_id from rollout_targets q
      where q.reason = 'queued' and q.due_at is null and (q.organization_id, q.binding_id) > (p.organization_id, p.binding_id)
      order by q.organization_id, q.binding_id limit 1) n
  ), queues as materialized (
    select q.* from waiting q where is_small_download(q.binding_id) = small
  ), candidates as (
    select q.organization_id, q.binding_id, w.device_id, w.updated_at,
      coalesce(u.downloads, 0) + row_number() over (partition by q.binding_id order by w.updated_at, w.device_id) as turn
    from queues q left join used u on u.organization_id = q.organization_id and u.binding_id = q.binding_id
      cross join lateral (
        select x.device_id, x.updated_at from rollout_targets x
        where x.organization_id = q.organization_id and x.binding_id = q.binding_id and x.reason = 'queued' and x.due_at is null
        order by x.updated_at, x.device_id limit (select least(count, most) from available)) w
  ), ordered as (
    select o.*, coalesce((select sum(u.downloads) from used u where u.organization_id = o.organization_id), 0)
        + row_number() over (partition by o.organization_id order by o.turn, o.updated_at, o.device_id) as organization_turn
    from candidates o
  ), chosen as (
    select t.binding_id, t.device_id
    from ordered o join rollout_targets t on t.binding_id = o.binding_id and t.device_id = o.device_id
    where t.reason = 'queued' and t.due_at is null
    order by o.organization_turn, o.turn, o.updated_at, o.device_id
    limit (select least(count, most) from available)
    for update of t skip locked
  ), claimed as (
    update rollout_targets t set download_since = at, due_at = at from chosen c
    where t.binding_id = c.binding_id and t.device_id = c.device_id returning 1
  )
  select (select count from available) - (select count(*) from claimed), exists (select 1 from queues) into free, is_waiting;
end $$;

grant select, insert, update, delete on firmware, config_files, config_versions, bindings, rollout_targets to highline_serve;
grant execute on function claim_downloads(boolean,integer,integer,timestamp with time zone,interval), is_small_download(uuid)
  to highline_serve;

-- Remote access -----------------------------------------------------------------------------------

-- Signs of life of the processes that have sessions: those of one that is silent have ended with it.
create table remote_nodes (
  node text collate "C" primary key,
  seen_at timestamptz not null
);

-- Ways of people to a router's shell or web page (RMT-01). The sockets are in a process; here stands that they exist, and why they ended.
create table remote_sessions (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  type text collate "C" not null check (type in ('ssh', 'gui')),
  -- The process that has the sockets.
  node text collate "C" not null,
  -- Who opened it, and with which sign-in: it ends with either.
  account_id uuid not null,
  account_email text not null,
  login_hash bytea not null,
  opened_at timestamptz not null default now(),
  -- Null until its credentials were shown, which happens once.
  credentials_expire_at timestamptz,
  ended_at timestamptz,
  end_reason text collate "C",
  primary key (organization_id, id),
  check ((ended_at is null) = (end_reason is null))
);
-- A router has one at a time; who comes second loses here, whichever process each of them talks to.
create unique index remote_sessions_open on remote_sessions (router_id) where ended_at is null;
create index remote_sessions_ended on remote_sessions (ended_at) where ended_at is not null;

create table remote_calls (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  -- The module that reads it.
  topic text collate "C" not null check (topic in ('remote', 'commands')),
  payload jsonb not null,
  -- Who asks: by which sign-in, and from where.
  login_hash bytea not null,
  address text not null,
  -- By the database's clock, which is the same for all processes.
  requested_at timestamptz not null default now(),
  -- When a process said that it is the one. It is taken once, so nothing is done twice.
  claimed_at timestamptz,
  -- Sealed under the master key for this call: it may hold credentials. Deleted as it is read.
  sealed_answer bytea,
  primary key (organization_id, id)
);
create index remote_calls_open on remote_calls (requested_at);

grant select, insert, update, delete on remote_nodes, remote_sessions, remote_calls to highline_serve;

-- eSIM profiles -----------------------------------------------------------------------------------

-- eSIM profiles (SIM-01 … SIM-10): what routers should have on their eUICCs, and how far they are on the way there
-- (docs/domains/esims.md).
create table esim_profiles (
  organization_id uuid not null,
  id uuid not null unique,
  main_account_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  -- Of the router, for lists that are sorted and searched by it.
  serial text collate "C" not null,
  -- As it was typed or reported when the profile was added.
  eid text collate "C" not null default '',
  is_preloaded boolean not null default false,
  -- Who holds an activation code can download the profile it stands for: sealed under the master key for this profile. Null where
  -- there is none: of the preloaded profile, and of those that a router had before a person added them.
  sealed_code bytea,
  iccid text collate "C" not null default '',
  apn text collate "C" not null default '',
  apn2 text collate "C" not null default '',
  name text collate "C" not null default '',
  -- As the router reports it.
  carrier text collate "C" not null default '',
  status text collate "C" not null check (status in ('Assigning...', 'Downloading...', 'Activated', 'In Use', 'Deleting...',
    'Fail to download', 'Fail to activate', 'Out of memory')),
  -- Why the last step failed: a code, or a code with the router's own message.
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
  -- How often it was sent since its last report.
  sends smallint not null default 0,
  -- When its router is to be looked at next; null = when something happens.
  due_at timestamptz,
  -- When its router was last looked at.
  looked_at timestamptz,
  -- Access points, name and priority as they were sent last, while the router does not report them: the same are not sent twice.
  settings_sent text,
  -- Some activation codes can be used only with a confirmation code, which the operator sends apart from them (SGP.22 3.1.3). It is sealed
  -- like the activation code, goes where that goes, and is never read back.
  sealed_confirmation bytea,
  primary key (organization_id, id),
  -- A device that is transferred takes its profiles along (OGL-04); one that is purged, too.
  foreign key (organization_id, device_id) references devices (organization_id, id) on update cascade on delete cascade,
  check ((step is null) = (step_key is null)),
  check (sealed_confirmation is null or sealed_code is not null)
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
-- The main account sorts the profiles of all its organizations by the same columns as an organization sorts its own (SIM-01).
create index esims_of_main_by_name on esim_profiles (main_account_id, name, serial, id);
create index esims_of_main_by_carrier on esim_profiles (main_account_id, carrier, serial, id);
create index esims_of_main_by_iccid on esim_profiles (main_account_id, iccid, id);
create index esims_of_main_by_apn on esim_profiles (main_account_id, apn, serial, id);
create index esims_of_main_by_status on esim_profiles (main_account_id, status, serial, id);
create index esims_of_main_by_age on esim_profiles (main_account_id, updated_at, id);
create index esim_profiles_failed on esim_profiles (main_account_id, organization_id, device_id)
  where status in ('Fail to download', 'Fail to activate', 'Out of memory');
create index esims_by_name_order on esim_profiles (organization_id, name collate natural_order, serial, id);
create index esims_of_main_by_name_order on esim_profiles (main_account_id, name collate natural_order, serial, id);

grant select, insert, update, delete on esim_profiles to highline_serve;

-- Reports -----------------------------------------------------------------------------------------

-- What people keep of reports and analysis, and what records are found by.

-- Searches that a person saved (RPT-01).
create table saved_reports (
  organization_id uuid not null references organizations,
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  name text collate "C" not null,
  -- The search arguments under the names of the API, without name and organization.
  question jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, account_id, id)
);
create unique index saved_reports_by_name on saved_reports (account_id, organization_id, name);

-- Charts on a person's overview (OVW-08).
create table pinned_charts (
  organization_id uuid not null references organizations,
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  -- SHA-256 of question, type of chart and mark: the same chart again is the same pin.
  identity bytea not null,
  chart_type text collate "C" not null,
  arguments jsonb not null,
  spec jsonb not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, account_id, id)
);
create unique index pinned_charts_by_identity on pinned_charts (account_id, organization_id, identity);

grant select, insert, update, delete on saved_reports, pinned_charts to highline_serve;

-- Positions and geofences -------------------------------------------------------------------------

-- Positions of routers, at most one for each router and second (docs/domains/positions.md). Partitioned by day, with a retention of its own
-- (POSITION_DAYS), so it is not among partitioned_by_day().
create table positions (
  router_id uuid not null,
  -- A whole second, by the clock of the satellites.
  at timestamptz not null,
  -- Degrees, WGS 84.
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  -- Metres.
  accuracy real,
  -- Kilometres per hour.
  speed real,
  -- Degrees from north, clockwise.
  heading real,
  -- Farther from the position before than a vehicle can drive in the time.
  is_jump boolean not null,
  primary key (router_id, at)
) partition by range (at);

-- The newest position of each router: one row, read by lists and maps. Every row is updated often, so there is space for the next version in its page
-- and no index on what changes.
create table router_positions (
  router_id uuid primary key,
  at timestamptz not null,
  latitude double precision not null,
  longitude double precision not null,
  accuracy real,
  speed real,
  heading real,
  is_jump boolean not null,
  -- When it was stored: a map asks for what is newer than its last answer.
  stored_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Positions of a router that were rejected, or stored with a corrected time: one row for each reason, since the organization has the router.
create table position_faults (
  router_id uuid not null references routers on delete cascade,
  -- The contract's `positionFaultReasons`.
  reason text collate "C" not null,
  -- The first of them; after a day without any it begins again.
  since timestamptz not null,
  last_at timestamptz not null,
  count bigint not null,
  -- What the last one was, sanitized and cut.
  received text,
  primary key (router_id, reason)
) with (fillfactor = 70);

-- Areas of an organization, and which vehicles are inside (docs/domains/geofences.md).
create table geofences (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null,
  -- The contract's `geofenceShape`.
  shape jsonb not null,
  -- Corners of the shape; a circle has one.
  corners integer not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_duplicate_name boolean not null default false
);
create unique index geofences_by_name on geofences (organization_id, name);
create unique index geofences_by_name_key on geofences (organization_id, name_key(name)) where not is_duplicate_name;
create trigger geofences_renamed before update of name on geofences for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();

-- A router that is inside of a geofence, or that may have changed sides. No row: it is outside.
create table geofence_states (
  router_id uuid not null,
  geofence_id uuid not null references geofences on delete cascade,
  is_inside boolean not null,
  -- Since when it is inside; of a router outside, null.
  since timestamptz,
  -- The first position on the other side; null = it is where the row says.
  pending_since timestamptz,
  primary key (router_id, geofence_id)
) with (fillfactor = 80);
create index geofence_states_by_geofence on geofence_states (geofence_id);
-- For routers that changed sides of a geofence with their last position.
create index geofence_states_pending on geofence_states (pending_since) where pending_since is not null;

-- Routers that entered or left, by the time of their position.
create table geofence_events (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  -- No reference: the event outlives the geofence.
  geofence_id uuid not null,
  geofence_name text not null,
  kind text collate "C" not null check (kind in ('entered', 'left')),
  at timestamptz not null,
  stored_at timestamptz not null default now()
);
create index geofence_events_by_router on geofence_events (router_id, at, id);
create index geofence_events_by_age on geofence_events using brin (stored_at);

-- Create the partitions of positions for these days. Idempotent.
create function ensure_position_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_xact_lock(hashtext('ensure_position_partitions'));
  perform add_day_partition('positions', first_day + offset_days) from generate_series(0, last_day - first_day) offset_days;
end $$;

-- As drop_partitions_before.
create function drop_position_partitions_before(day date) returns integer
language sql security definer set search_path from current as $$
  select drop_oldest_partition(array['positions'], day)
$$;

grant select, insert, update, delete on positions, router_positions, position_faults, geofences, geofence_states, geofence_events to
  highline_serve;
revoke all on function drop_position_partitions_before(date), ensure_position_partitions(date,date) from public;
grant execute on function drop_position_partitions_before(date), ensure_position_partitions(date,date) to highline_serve;

-- Alerts ------------------------------------------------------------------------------------------

-- Alerts (docs/domains/alerts.md): rules of organizations, conditions that hold now with their timers, and alerts.
create table alert_rules (
  organization_id uuid not null references organizations,
  id uuid not null,
  main_account_id uuid not null,
  name text not null,
  is_enabled boolean not null,
  severity text collate "C" not null check (severity in ('critical', 'warning', 'info')),
  kind text collate "C" not null,
  -- The contract's `condition`.
  condition jsonb not null,
  -- The condition must hold for this many seconds.
  for_seconds integer not null check (for_seconds >= 0),
  scope_kind text collate "C" not null check (scope_kind in ('all', 'group', 'tag', 'view')),
  -- Key of the group, the tag, or the id of the view.
  scope_key text collate "C",
  -- The contract's `hours`; null = always.
  hours jsonb,
  -- The contract's `channels`.
  channels jsonb not null,
  version integer not null default 1,
  -- Counts changes of the condition or the devices: conditions that an older revision found are dropped.
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  is_duplicate_name boolean not null default false,
  primary key (organization_id, id)
);
create unique index alert_rules_by_name on alert_rules (organization_id, name);
create index alert_rules_enabled on alert_rules (kind, organization_id) where is_enabled;
create unique index alert_rules_by_name_key on alert_rules (organization_id, name_key(name)) where not is_duplicate_name;
create trigger alert_rules_renamed before update of name on alert_rules for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();

-- Counts changes of an organization's rules: processes keep the rules in memory and compare this number.
create table alert_rule_versions (
  organization_id uuid primary key,
  version bigint not null
);

-- A condition that holds now: written where its value is stored, and claimed by a job when it is due. One row for each rule and device.
create table alert_states (
  organization_id uuid not null,
  rule_id uuid not null,
  device_id uuid not null,
  router_id uuid not null,
  kind text collate "C" not null,
  revision integer not null,
  since timestamptz not null,
  -- When the alert fires, unless the condition ends before.
  due_at timestamptz not null,
  -- In the unit of its reading.
  value double precision,
  -- The condition has ended: the job resolves the alert and deletes the row.
  cleared_at timestamptz,
  resolution text collate "C" not null default 'cleared',
  -- Null until it fired.
  alert_id uuid,
  primary key (organization_id, rule_id, device_id)
) with (fillfactor = 80);
create index alert_states_due on alert_states (due_at) where alert_id is null and cleared_at is null;
create index alert_states_cleared on alert_states (cleared_at) where cleared_at is not null;
create index alert_states_by_router on alert_states (router_id);
create index alert_states_by_device on alert_states (device_id);

create table alerts (
  organization_id uuid not null,
  id uuid not null,
  main_account_id uuid not null,
  rule_id uuid not null,
  -- Name, severity and kind of the rule, and what the device was called, when it fired.
  rule_name text not null,
  severity text collate "C" not null,
  kind text collate "C" not null,
  reading text collate "C",
  device_id uuid not null,
  serial text collate "C" not null,
  vehicle_number text not null,
  group_key text collate "C" not null,
  carrier text,
  state text collate "C" not null check (state in ('firing', 'acknowledged', 'resolved')),
  value double precision,
  since timestamptz not null,
  fired_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by text not null default '',
  note text not null default '',
  resolved_at timestamptz,
  resolution text collate "C",
  -- Alerts of one rule that fired together.
  storm_id uuid,
  -- The geofence that an alert is about, as it was called when it fired (docs/domains/alerts.md).
  geofence text,
  primary key (organization_id, id)
);
create unique index alerts_open on alerts (organization_id, rule_id, device_id) where state <> 'resolved';
create index alerts_by_time on alerts (organization_id, fired_at desc, id desc);
create index alerts_of_main on alerts (main_account_id, fired_at desc, id desc);
create index alerts_open_of_main on alerts (main_account_id, state, severity) where state <> 'resolved';
create index alerts_open_by_time on alerts (organization_id, fired_at desc, id desc) where state <> 'resolved';
create index alerts_of_device on alerts (organization_id, device_id, fired_at desc);
create index alerts_of_rule on alerts (organization_id, rule_id, fired_at desc, id desc);
create index alerts_of_storm on alerts (organization_id, storm_id, fired_at desc, id desc) where storm_id is not null;
create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;
-- The map shows the most severe open alert of each vehicle: one look-up a vehicle, also while thousands of alerts are open.
create index alerts_open_of_device on alerts (organization_id, device_id, severity) where state <> 'resolved';

-- Messages about alerts (docs/domains/alerts.md): what waits to be sent, and the throttle of each rule.
create table alert_notices (
  organization_id uuid not null,
  alert_id uuid not null,
  -- 'fired', or 'escalated' when no one has acknowledged it by then.
  kind text collate "C" not null check (kind in ('fired', 'escalated')),
  rule_id uuid not null,
  due_at timestamptz not null,
  primary key (organization_id, alert_id, kind)
);
create index alert_notices_due on alert_notices (due_at);
create index alert_notices_of_rule on alert_notices (organization_id, rule_id, kind, due_at);

create table alert_bursts (
  organization_id uuid not null,
  rule_id uuid not null,
  kind text collate "C" not null,
  -- No message before then, and the length of that pause.
  next_at timestamptz not null,
  seconds integer not null,
  -- The alerts that fired together last; further ones belong to them for a while.
  storm_id uuid,
  storm_at timestamptz,
  primary key (organization_id, rule_id, kind)
);
create index alert_bursts_by_age on alert_bursts (next_at);

-- What changed of all that processes keep in memory to compare readings with alert rules (docs/domains/alerts.md). Written by
-- triggers, whatever program makes the change; each process reads on from the snapshot of its last look. Kept for an hour.
create table alert_changes (
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  -- The rules of this organization changed.
  organization_id uuid,
  -- Where these routers are changed, or which conditions hold on them.
  router_ids uuid[] not null default '{}',
  at timestamptz not null default clock_timestamp(),
  primary key (xid, id)
);
create index alert_changes_by_age on alert_changes (at);

create function note_alert_rules() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (organization_id) values (coalesce(new.organization_id, old.organization_id));
  return null;
end $$;
create trigger alert_rules_changed after insert or update or delete on alert_rule_versions
  for each row execute function note_alert_rules();

create function note_places_of_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) select array_agg(router_id) from changed having count(*) > 0;
  return null;
end $$;
create trigger added_devices_to_alerts after insert on devices referencing new table as changed
  for each statement execute function note_places_of_devices();
create trigger removed_devices_to_alerts after delete on devices referencing old table as changed
  for each statement execute function note_places_of_devices();

create function note_place_of_device() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) values (array[old.router_id, new.router_id]);
  return null;
end $$;
-- Only where the place changed: connections and readings do not.
create trigger devices_to_alerts after update of group_key, tags, organization_id, archived_at, router_id on devices for each row
  when ((old.group_key, old.tags, old.organization_id, old.archived_at, old.router_id)
    is distinct from (new.group_key, new.tags, new.organization_id, new.archived_at, new.router_id))
  execute function note_place_of_device();

create function note_begun_states() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) select array_agg(router_id) from added where kind = 'reading' having count(*) > 0;
  return null;
end $$;
create trigger begun_states_to_alerts after insert on alert_states referencing new table as added
  for each statement execute function note_begun_states();

-- Not when a condition only fires, is postponed, or is taken away after it has ended.
create function note_changed_states() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) select array_agg(a.router_id)
    from removed r join added a using (organization_id, rule_id, device_id)
    where a.kind = 'reading' and (a.cleared_at is null) <> (r.cleared_at is null) having count(*) > 0;
  return null;
end $$;
create trigger changed_states_to_alerts after update on alert_states referencing old table as removed new table as added
  for each statement execute function note_changed_states();

create function note_removed_states() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) select array_agg(router_id) from removed
    where kind = 'reading' and cleared_at is null having count(*) > 0;
  return null;
end $$;
create trigger removed_states_to_alerts after delete on alert_states referencing old table as removed
  for each statement execute function note_removed_states();

grant select, insert, update, delete on alert_rules, alert_rule_versions, alert_states, alerts, alert_notices, alert_bursts to
  highline_serve;
grant select, insert, delete on alert_changes to highline_serve;

-- Webhooks ----------------------------------------------------------------------------------------

-- An event on its way to the endpoints that are subscribed to it.
create type webhook_event as (
  main_account_id uuid,
  organization_id uuid,
  device_id uuid,
  group_key text,
  tags text[],
  type text,
  key text,
  happened_at timestamptz,
  data jsonb
);

-- HKS-01: webhooks of an organization or a main account (docs/domains/webhooks.md).
create table webhook_endpoints (
  id uuid primary key,
  main_account_id uuid not null,
  -- Null: the main account and all of its organizations.
  organization_id uuid,
  name text not null,
  url text not null,
  format text collate "C" not null check (format in ('standard', 'slack', 'teams')),
  event_types text[] collate "C" not null,
  -- Only events about devices or rollouts of these groups; null = all events.
  group_keys text[] collate "C",
  -- Only events about devices with one of these tags; null = all events.
  tags text[],
  -- While it is off nothing is recorded for it.
  is_enabled boolean not null,
  -- Encrypted under the master key for this row.
  sealed_secret bytea not null,
  -- The secret before the last rotation, which signs too until then.
  previous_secret bytea,
  previous_until timestamptz,
  created_by_email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  -- Since when every call has failed.
  failing_since timestamptz,
  -- Events are recorded and wait.
  suspended_at timestamptz,
  -- E-mail address of the person; null = after days of failures.
  suspended_by text,
  check ((previous_secret is null) = (previous_until is null))
);
create index webhook_endpoints_by_organization on webhook_endpoints (organization_id, id);
create index webhook_endpoints_of_main on webhook_endpoints (main_account_id, id);
-- Suspended webhooks, which a metric counts.
create index webhook_endpoints_suspended on webhook_endpoints (id) where suspended_at is not null;

-- One row per event and endpoint, written in the transaction of the event. Deleted after WEBHOOK_LOG_DAYS, and after its endpoint.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  -- The order of events.
  position bigint generated always as identity,
  endpoint_id uuid not null,
  -- The organization of the event; null = of the main account.
  organization_id uuid,
  -- Events of one device are sent one after another.
  device_id uuid,
  type text collate "C" not null,
  -- An event with a key is recorded once for an endpoint.
  key text collate "C",
  happened_at timestamptz not null,
  data jsonb not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  -- Counts calls; the record of an outcome names the number of its call.
  attempts integer not null default 0,
  -- The number of calls before the event was last sent again by a person.
  attempts_before integer not null default 0,
  -- When it is due; while it is being sent, when others may take it over.
  next_at timestamptz,
  -- The last calls with their answers, the oldest first.
  tries jsonb not null default '[]',
  created_at timestamptz not null default now(),
  check ((state = 'waiting') = (next_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at, position) where state = 'waiting';
create index webhook_deliveries_of_device on webhook_deliveries (endpoint_id, device_id, position)
  where state = 'waiting' and device_id is not null;
create index webhook_deliveries_log on webhook_deliveries (endpoint_id, position);
create index webhook_deliveries_by_state on webhook_deliveries (endpoint_id, state, position);
create unique index webhook_deliveries_by_key on webhook_deliveries (endpoint_id, key) where key is not null;
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);

-- Whether any endpoint is subscribed to one of these types: what most triggers end with.
create function has_webhooks(types text[]) returns boolean language sql stable set search_path = public, pg_temp as $$
  select exists (select from webhook_endpoints e where e.is_enabled and e.event_types && types);
$$;

-- Record events for the endpoints of their organization and of its main account.
create function record_webhook_events(events webhook_event[]) returns void language sql set search_path = public, pg_temp as $$
  insert into webhook_deliveries (endpoint_id, organization_id, device_id, type, key, happened_at, data, next_at)
  select e.id, v.organization_id, v.device_id, v.type, v.key, v.happened_at, v.data, now()
  from unnest(events) with ordinality as v (main_account_id, organization_id, device_id, group_key, tags, type, key, happened_at, data, number)
  join webhook_endpoints e on e.main_account_id = v.main_account_id and e.is_enabled and v.type = any(e.event_types)
    and (e.organization_id is null or e.organization_id = v.organization_id)
    and (e.group_keys is null or v.group_key = any(e.group_keys))
    and (e.tags is null or v.tags && e.tags)
  order by v.number
  on conflict (endpoint_id, key) where key is not null do nothing;
$$;

create function webhook_device(d devices) returns jsonb language sql immutable as $$
  select jsonb_build_object('id', d.id, 'serial', d.serial, 'vehicle', d.vehicle_number, 'group', d.group_key);
$$;

create function webhook_device_event(d devices, type text, happened_at timestamptz, more jsonb) returns webhook_event
language sql immutable set search_path = public, pg_temp as $$
  select row(d.main_account_id, d.organization_id, d.id, d.group_key, d.tags, type, null, happened_at,
    jsonb_build_object('organization', d.organization_id, 'device', webhook_device(d)) || more)::webhook_event;
$$;

create function webhooks_of_connectivity() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['device.online', 'device.offline']) then
    perform record_webhook_events(array(
      select webhook_device_event(d, 'device.' || c.kind, c.at,
        case c.kind when 'offline' then jsonb_build_object('reason', c.reason) else '{}' end)
      from added c
      join router_ownership w on w.router_id = c.router_id and w.owned_until is null
      join devices d on d.organization_id = w.organization_id and d.id = w.device_id and d.archived_at is null
      where c.kind in ('online', 'offline') order by c.at));
  end if;
  return null;
end $$;
create trigger connectivity_to_webhooks after insert on connectivity referencing new table as added
  for each statement execute function webhooks_of_connectivity();

create function webhooks_of_router_events() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['device.alarm', 'rollout.device_updated', 'rollout.device_failed', 'esim.downloaded', 'esim.in_use', 'esim.failed',
    'esim.deleted', 'remote.opened', 'remote.ended']) then
    perform record_webhook_events(array(
      select webhook_device_event(d, t.type, r.at, case r.kind
        when 'alarm' then jsonb_build_object('alarm', r.subject, 'state', r.state)
        when 'rollout' then jsonb_build_object('rollout', r.rollout_id, 'kind', r.subject, 'label', r.label, 'state', r.state, 'reason', r.reason)
        when 'sim' then jsonb_build_object('profile', r.label, 'reason', r.reason)
        else jsonb_build_object('kind', r.subject) end)
      from added r
      join lateral (select case r.kind
        when 'alarm' then 'device.alarm'
        when 'rollout' then case when r.state = 'successful' then 'rollout.device_updated'
          when r.state in ('failed', 'rolled-back') then 'rollout.device_failed' end
        when 'sim' then 'esim.' || replace(r.state, '-', '_')
        when 'remote' then case when r.state in ('opened', 'ended') then 'remote.' || r.state end end as type) t on t.type is not null
      join router_ownership w on w.router_id = r.router_id and w.owned_until is null
      join devices d on d.organization_id = w.organization_id and d.id = w.device_id and d.archived_at is null
      order by r.id));
  end if;
  return null;
end $$;
create trigger router_events_to_webhooks after insert on router_events referencing new table as added
  for each statement execute function webhooks_of_router_events();

create function webhooks_of_added_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['device.added']) then
    perform record_webhook_events(array(
      select webhook_device_event(d, 'device.added', d.created_at, '{}')
      from added a join devices d on d.organization_id = a.organization_id and d.id = a.id where d.archived_at is null order by d.id));
  end if;
  return null;
end $$;
create trigger added_devices_to_webhooks after insert on devices referencing new table as added
  for each statement execute function webhooks_of_added_devices();

create function webhooks_of_device() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  moves boolean := old.organization_id <> new.organization_id;
  events webhook_event[] := '{}';
begin
  if not has_webhooks(array['device.added', 'device.removed', 'subscription.changed']) then
    return null;
  end if;
  if old.archived_at is null and (moves or new.archived_at is not null) then
    events := events || webhook_device_event(old, 'device.removed', now(), '{}');
  end if;
  if new.archived_at is null and (moves or old.archived_at is not null) then
    events := events || webhook_device_event(new, 'device.added', now(), '{}');
  end if;
  if new.archived_at is null and row(old.started_on, old.expires_on) is distinct from row(new.started_on, new.expires_on) then
    events := events || webhook_device_event(new, 'subscription.changed', now(),
      jsonb_build_object('starts', new.started_on, 'ends', new.expires_on));
  end if;
  perform record_webhook_events(events);
  return null;
end $$;
create trigger devices_to_webhooks after update of organization_id, archived_at, started_on, expires_on on devices for each row
  when (old.organization_id <> new.organization_id or old.archived_at is distinct from new.archived_at
    or old.started_on is distinct from new.started_on or old.expires_on is distinct from new.expires_on)
  execute function webhooks_of_device();

create function webhooks_of_binding() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  type text := case
    when tg_op = 'INSERT' then 'rollout.started'
    when new.ended_at is not null and old.ended_at is null then 'rollout.ended'
    when new.state = old.state then null
    when new.state = 'running' then 'rollout.resumed'
    else 'rollout.' || new.state end;
begin
  if type is not null and has_webhooks(array[type]) then
    perform record_webhook_events(array(
      select row(o.main_account_id, o.id, null, new.group_key, null, type, null, now(), jsonb_build_object('organization', o.id,
        'rollout', new.id, 'kind', new.kind, 'label', new.label, 'group', new.group_key)
        || case type when 'rollout.paused' then jsonb_build_object('reason', new.paused_reason) else '{}' end)::webhook_event
      from organizations o where o.id = new.organization_id));
  end if;
  return null;
end $$;
create trigger bindings_to_webhooks after insert or update of state, ended_at on bindings
  for each row execute function webhooks_of_binding();

create function webhooks_of_log() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if has_webhooks(array['log.entry']) then
    perform record_webhook_events(array(
      select row(coalesce(o.main_account_id, a.chain_id), o.id, d.id, coalesce(d.group_key, case a.subject_kind when 'group' then a.subject_id end),
        d.tags, 'log.entry', null, a.at, jsonb_build_object('organization', o.id, 'number', a.seq, 'action', a.action,
          'subject', jsonb_build_object('kind', a.subject_kind, 'id', a.subject_id),
          'actor', jsonb_build_object('id', a.actor_id, 'email', a.actor_email, 'role', a.actor_role, 'key', a.actor_key, 'address', a.address),
          'detail', case when octet_length(a.detail::text) <= 16384 then a.detail end))::webhook_event
      from added a
      left join organizations o on o.id = a.chain_id
      left join devices d on d.organization_id = o.id and d.id = case
        when a.subject_kind = 'device' and a.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then a.subject_id::uuid end
      order by a.seq));
  end if;
  return null;
end $$;
create trigger audit_entries_to_webhooks after insert on audit_entries referencing new table as added
  for each statement execute function webhooks_of_log();

grant select, insert, update, delete on webhook_endpoints, webhook_deliveries to highline_serve;

-- Data usage --------------------------------------------------------------------------------------

-- Data used per SIM (docs/domains/usage.md).

-- Counters of modems as routers reported them, one row for each report and modem: what a late report is compared with. Partitioned by day, kept as
-- long as late reports are accepted.
create table usage_readings (
  router_id uuid not null,
  -- Instance of Device.Cellular.Interface.
  modem integer not null,
  at timestamptz not null,
  -- The SIM in use; '' = the report did not say, and none was known.
  iccid text collate "C" not null,
  -- Seconds since the router started; null = not reported.
  uptime bigint,
  -- Bytes.
  sent bigint not null,
  received bigint not null,
  primary key (router_id, modem, at)
) partition by range (at);

-- The newest of them for each modem: what the next report is compared with, however late it comes. Locked while readings of the router are added.
create table usage_heads (
  router_id uuid not null,
  modem integer not null,
  at timestamptz not null,
  iccid text collate "C" not null,
  uptime bigint,
  sent bigint not null,
  received bigint not null,
  -- Of its first reading ever.
  first_at timestamptz not null,
  primary key (router_id, modem)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- SIMs that an organization used data with.
create table usage_sims (
  organization_id uuid not null,
  iccid text collate "C" not null,
  -- As its router reported it when the SIM was first used; '' = unknown.
  carrier text collate "C" not null default '',
  -- The plan that applies, and the day of month on which its cycle begins. Cycles below are of this day.
  plan_id uuid,
  cycle_day integer not null default 1 constraint usage_sims_cycle_day check (cycle_day between 1 and 31),
  created_at timestamptz not null default now(),
  -- The plan that a person chose for a SIM; it comes before those for a carrier and for all.
  chosen_plan_id uuid,
  primary key (organization_id, iccid)
);
create index usage_sims_by_plan on usage_sims (organization_id, plan_id, iccid) where plan_id is not null;
create index usage_sims_without_carrier on usage_sims (organization_id, iccid) where carrier = '';

-- Bytes of a SIM in a device on a day of UTC.
create table usage_days (
  organization_id uuid not null,
  day date not null,
  iccid text collate "C" not null,
  device_id uuid not null,
  sent bigint not null,
  received bigint not null,
  primary key (organization_id, day, iccid, device_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index usage_days_by_sim on usage_days (organization_id, iccid, day);
create index usage_days_by_device on usage_days (organization_id, device_id, day);
create index usage_days_by_day on usage_days using brin (day);

-- The same by cycle: the sum of the days from `cycle_from` on.
create table usage_cycles (
  organization_id uuid not null,
  cycle_from date not null,
  iccid text collate "C" not null,
  device_id uuid not null,
  sent bigint not null,
  received bigint not null,
  primary key (organization_id, cycle_from, iccid, device_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index usage_cycles_by_device on usage_cycles (organization_id, device_id, cycle_from);
create index usage_cycles_by_day on usage_cycles using brin (cycle_from);
create index usage_cycles_by_sim on usage_cycles (organization_id, iccid, cycle_from);

-- Bytes of an organization on a day of UTC: the sum of its usage_days.
create table usage_totals (
  organization_id uuid not null,
  day date not null,
  sent bigint not null,
  received bigint not null,
  primary key (organization_id, day)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Plans of an organization for its SIMs: cycle, allowance, cost, and what happens at chosen shares (docs/domains/usage.md).
create table usage_plans (
  organization_id uuid not null,
  id uuid not null,
  name text collate "C" not null,
  -- Day of month on which the cycle begins, at 00:00 UTC.
  cycle_day integer not null constraint usage_plans_cycle_day check (cycle_day between 1 and 31),
  -- Bytes of a SIM in a cycle; in a pool, what each SIM brings to it.
  allowance bigint not null check (allowance > 0),
  is_pool boolean not null,
  -- For each GB (10^9 bytes); null = not known.
  cost_per_gb numeric(12, 4) check (cost_per_gb >= 0),
  -- ISO 4217.
  currency text collate "C" not null default '',
  -- SIMs that no plan was chosen for: none of them, those of a carrier, or all.
  applies_to text collate "C" not null check (applies_to in ('chosen', 'carrier', 'all')),
  carrier text collate "C" not null default '',
  -- Percent of the allowance at which a mail is sent.
  shares integer[] not null check (array_length(shares, 1) between 1 and 6),
  -- At 100 percent, for each SIM once in a cycle.
  action text collate "C" not null check (action in ('mail', 'command', 'profile')),
  command_id uuid,
  -- Who saved it: commands and switches are done in the name of this account.
  actor jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_duplicate_name boolean not null default false,
  primary key (organization_id, id)
);
create unique index usage_plans_by_name on usage_plans (organization_id, name);
create unique index usage_plans_by_name_key on usage_plans (organization_id, name_key(name)) where not is_duplicate_name;
create trigger usage_plans_renamed before update of name on usage_plans for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();

-- Organizations whose SIMs have to be matched with their plans again, after a change of plans or a new SIM.
create table usage_matching (
  organization_id uuid primary key,
  requested_at timestamptz not null default now()
);

-- Which share was reached in which cycle, by a SIM or by a pool ('' as ICCID): each is reported once.
create table usage_plan_events (
  organization_id uuid not null,
  plan_id uuid not null,
  cycle_from date not null,
  iccid text collate "C" not null,
  -- Percent; 0 = the action at the cap.
  share integer not null,
  happened_at timestamptz not null,
  -- Of an action: 'started', or why it could not be.
  outcome text collate "C" not null default '',
  primary key (organization_id, plan_id, cycle_from, iccid, share)
);
create index usage_plan_events_by_cycle on usage_plan_events using brin (cycle_from);

-- In which zone the days of an organization are, from when on; UTC without a row. Rows stay, so that a late report is divided as it was before.
create table usage_zones (
  organization_id uuid not null,
  from_at timestamptz not null,
  -- IANA name.
  zone text collate "C" not null,
  primary key (organization_id, from_at)
);

-- Create the partitions of usage_readings for these days. Idempotent.
create function ensure_usage_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_usage_partitions'));
  perform add_day_partition('usage_readings', first_day + offset_days) from generate_series(0, last_day - first_day) offset_days;
end $$;

-- Returns how many it dropped, at most one: call it until that is none, each time in a transaction of its own.
create function drop_usage_partitions_before(day date) returns integer
language plpgsql security definer set search_path from current as $$
begin
  return drop_oldest_partition(array['usage_readings'], day);
end $$;

-- The month in which a cycle begins, as its first day: of the cycle that a day belongs to, or of so many before it. Plain expressions, so that
-- queries take them in.
create function usage_cycle_month(day date, cycle_day integer, back integer) returns timestamp language sql immutable parallel safe as $$
  select date_trunc('month', day::timestamp) - make_interval(months => back + case
    when extract(day from day) >= least(cycle_day, extract(day from date_trunc('month', day::timestamp) + interval '1 month - 1 day')) then 0 else 1 end)
$$;

-- The first day of a cycle: of the one that a day belongs to, or of so many before it (negative: after it). A cycle that begins on a day that a month
-- does not have begins on its last day. @param cycle_day 1 to 31
create function usage_cycle(day date, cycle_day integer, back integer) returns date language sql immutable parallel safe as $$
  select usage_cycle_month(day, cycle_day, back)::date
    + least(cycle_day, extract(day from usage_cycle_month(day, cycle_day, back) + interval '1 month - 1 day')::integer) - 1
$$;

-- The first day of the cycle that a day belongs to. @param cycle_day 1 to 31
create function usage_cycle_of(day date, cycle_day integer) returns date language sql immutable parallel safe as $$
  select usage_cycle(day, cycle_day, 0)
$$;

grant select, insert, update, delete on usage_readings, usage_heads, usage_sims, usage_days, usage_cycles, usage_totals, usage_plans,
  usage_matching, usage_plan_events, usage_zones to highline_serve;
revoke all on function drop_usage_partitions_before(date), ensure_usage_partitions(date,date), usage_cycle(date,integer,integer),
  usage_cycle_month(date,integer,integer), usage_cycle_of(date,integer) from public;
grant execute on function drop_usage_partitions_before(date), ensure_usage_partitions(date,date), usage_cycle(date,integer,integer),
  usage_cycle_month(date,integer,integer), usage_cycle_of(date,integer) to highline_serve;

-- Coverage ----------------------------------------------------------------------------------------

-- Coverage (docs/domains/coverage.md): signal, lost connections and minutes without one, by place.

-- How far the job is; one row. Slots of ten minutes before closed_until are due or done: who adds to one of them marks it in coverage_due.
-- Slots before marked_until were marked once by the job itself.
create table coverage_progress (
  only_row boolean primary key default true check (only_row),
  closed_until timestamptz not null,
  marked_until timestamptz not null
);
insert into coverage_progress (closed_until, marked_until) select hour, hour from date_trunc('hour', now() - interval '8 days', 'UTC') hour;

-- Slots of routers that are to be read. Not unique: a mark that another transaction relies on could be processed before that has committed.
create table coverage_due (
  slot timestamptz not null,
  router_id uuid not null,
  -- Not before; an open outage is read again when it counts in full.
  due_at timestamptz not null default '-infinity'
);
create index coverage_due_by_slot on coverage_due (slot, router_id);

-- What a router found in a hexagon within ten minutes: what is subtracted when the slot is read again. Kept as long as late reports are accepted.
create table coverage_slots (
  router_id uuid not null,
  slot timestamptz not null,
  organization_id uuid not null,
  device_id uuid not null,
  -- H3, resolution 8.
  cell text collate "C" not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  -- Reports with a signal; and the bins of their values.
  samples integer not null,
  rsrp smallint[] not null,
  rsrq smallint[] not null,
  drops integer not null,
  lost_seconds integer not null,
  primary key (router_id, slot, organization_id, device_id, cell, carrier, technology)
) partition by range (slot);
create index coverage_slots_by_organization on coverage_slots (organization_id, slot, device_id);

-- The sum of them by organization, hexagon and day of UTC, for hexagons of several sizes. A column for each bin, null = none:
-- r0 to r34 RSRP in steps of 2 dB from -130 dBm on, q0 to q21 RSRQ in steps of 1 dB from -24 dB on (coverage/bins.ts).
create table coverage_days (
  organization_id uuid not null,
  cell text collate "C" not null,
  day date not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  -- Of the cell, H3.
  resolution smallint not null,
  samples integer not null,
  drops integer not null,
  lost_seconds bigint not null,
  r0 integer, r1 integer, r2 integer, r3 integer, r4 integer, r5 integer, r6 integer, r7 integer, r8 integer,
  r9 integer, r10 integer, r11 integer, r12 integer, r13 integer, r14 integer, r15 integer, r16 integer, r17 integer,
  r18 integer, r19 integer, r20 integer, r21 integer, r22 integer, r23 integer, r24 integer, r25 integer, r26 integer,
  r27 integer, r28 integer, r29 integer, r30 integer, r31 integer, r32 integer, r33 integer, r34 integer,
  q0 integer, q1 integer, q2 integer, q3 integer, q4 integer, q5 integer, q6 integer, q7 integer, q8 integer, q9 integer, q10 integer,
  q11 integer, q12 integer, q13 integer, q14 integer, q15 integer, q16 integer, q17 integer, q18 integer, q19 integer, q20 integer, q21 integer,
  primary key (organization_id, cell, day, carrier, technology)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index coverage_days_by_day on coverage_days using brin (day);
-- Where connections were lost.
create index coverage_days_with_drops on coverage_days (organization_id, day) where resolution = 8 and drops > 0;

-- Carriers and technologies of an organization's reports, for filters.
create table coverage_networks (
  organization_id uuid not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  last_day date not null,
  primary key (organization_id, carrier, technology)
);

-- Days of organizations whose vehicles are to be compared: those with changes since the last comparison.
create table coverage_comparisons (
  organization_id uuid not null,
  day date not null,
  changes bigint not null,
  compared_changes bigint not null default 0,
  compared_at timestamptz,
  primary key (organization_id, day)
);
create index coverage_comparisons_due on coverage_comparisons (day) where changes <> compared_changes;
create index coverage_comparisons_by_day on coverage_comparisons using brin (day);

-- A vehicle on a day against the median of the organization's other vehicles in the same hexagons, on the same carrier and technology.
create table coverage_vehicle_days (
  organization_id uuid not null,
  day date not null,
  device_id uuid not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  -- Hexagons with enough reports of others.
  cells integer not null,
  -- Reports there with the value, and the sum of their differences to the median of the others, dB.
  rsrp_samples integer not null,
  rsrp_difference double precision not null,
  rsrq_samples integer not null,
  rsrq_difference double precision not null,
  primary key (organization_id, day, device_id, carrier, technology)
);
create index coverage_vehicle_days_by_day on coverage_vehicle_days using brin (day);

-- For a transaction that has added positions, readings or lost connections: the time before which their slots have to be marked. Until it ends,
-- no slot is closed.
create function coverage_closed_until() returns timestamptz language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('coverage_slots'));
  return (select closed_until from coverage_progress);
end $$;

create function coverage_slot_of(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('10 minutes', at, '2000-01-01T00:00:00Z')
$$;

-- A lost connection counts where it began, also when the router comes back much later.
create function coverage_of_connectivity() returns trigger language plpgsql set search_path from current as $$
declare
  closed timestamptz := coverage_closed_until();
begin
  insert into coverage_due (slot, router_id)
    select distinct coverage_slot_of(e.at), a.router_id from added a cross join lateral (
      select a.at where a.kind = 'offline'
      union all
      (select c.at from connectivity c where a.kind = 'online' and c.router_id = a.router_id and c.kind = 'offline' and c.at < a.at
        and c.at > a.at - interval '1 day' order by c.at desc limit 1)) e
    where e.at < closed;
  return null;
end $$;
create trigger connectivity_to_coverage after insert on connectivity referencing new table as added
  for each statement execute function coverage_of_connectivity();

-- Create the partitions of coverage_slots for these days. Idempotent.
create function ensure_coverage_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_coverage_partitions'));
  perform add_day_partition('coverage_slots', first_day + offset_days) from generate_series(0, last_day - first_day) offset_days;
end $$;

-- Returns how many it dropped, at most one: call it until that is none, each time in a transaction of its own.
create function drop_coverage_partitions_before(day date) returns integer
language plpgsql security definer set search_path from current as $$
begin
  return drop_oldest_partition(array['coverage_slots'], day);
end $$;

grant select, update on coverage_progress to highline_serve;
grant select, insert, update, delete on coverage_due, coverage_slots, coverage_days, coverage_networks, coverage_comparisons,
  coverage_vehicle_days to highline_serve;
revoke all on function coverage_closed_until(), coverage_slot_of(timestamp with time zone), drop_coverage_partitions_before(date),
  ensure_coverage_partitions(date,date) from public;
grant execute on function coverage_closed_until(), coverage_slot_of(timestamp with time zone), drop_coverage_partitions_before(date),
  ensure_coverage_partitions(date,date) to highline_serve;

-- Cells -------------------------------------------------------------------------------------------

-- Cells: several installations behind one directory (docs/decisions/0045-cells.md). The tables are empty everywhere else.

-- In the directory: the cell that has a name. The hashes are keyed, so nothing here is personal data or a secret.
create table directory_names (
  kind text collate "C" not null check (kind in ('email', 'serial', 'mac', 'endpoint', 'secret')),
  hash bytea not null check (length(hash) = 32),
  cell text collate "C" not null,
  -- When the cell last sent it.
  seen_at timestamptz not null default now(),
  primary key (kind, hash)
);
create index directory_names_by_cell on directory_names (cell, seen_at);

-- In a cell: one row once it has a directory, and how far it has sent all its names again.
create table directory_membership (
  is_only boolean primary key default true check (is_only),
  cell text not null,
  -- Time of the directory.
  pass_began_at timestamptz,
  -- What is sent next, and after which row; null = the first.
  pass_table text check (pass_table in ('accounts', 'routers')),
  pass_after uuid,
  pass_ended_at timestamptz
);

-- In a cell: what changed and is not in the directory yet; written in the transaction of the change.
create table directory_updates (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  name text not null,
  is_added boolean not null
);
create index directory_updates_by_transaction on directory_updates (xid);

create function note_directory_names(removed jsonb, added jsonb) returns void language sql as $$
  insert into directory_updates (kind, name, is_added)
  select n ->> 0, n ->> 1, is_added
  from (select jsonb_array_elements(removed) as n, false as is_added
        union all select jsonb_array_elements(added), true) names
  where n ->> 1 is not null
    and not (case when is_added then removed else added end @> jsonb_build_array(n))
    and exists (select from directory_membership)
  order by is_added;
$$;

create function note_account_names() returns trigger language plpgsql as $$
begin
  perform note_directory_names(
    case when tg_op = 'INSERT' then '[]' else jsonb_build_array(jsonb_build_array('email', old.email)) end,
    case when tg_op = 'DELETE' then '[]' else jsonb_build_array(jsonb_build_array('email', new.email)) end);
  return null;
end $$;
create trigger accounts_to_directory after insert or delete or update of email on accounts
  for each row execute function note_account_names();

create function directory_names_of(router routers) returns jsonb language sql immutable as $$
  select jsonb_build_array(
    jsonb_build_array('serial', router.serial), jsonb_build_array('mac', router.mac),
    jsonb_build_array('endpoint', router.endpoint_id), jsonb_build_array('secret', encode(router.secret_hash, 'hex')),
    jsonb_build_array('secret', encode(router.previous_secret_hash, 'hex')));
$$;

create function note_router_names() returns trigger language plpgsql as $$
begin
  perform note_directory_names(
    case when tg_op = 'INSERT' then '[]' else directory_names_of(old) end,
    case when tg_op = 'DELETE' then '[]' else directory_names_of(new) end);
  return null;
end $$;
create trigger routers_to_directory
  after insert or delete or update of serial, mac, endpoint_id, secret_hash, previous_secret_hash on routers
  for each row execute function note_router_names();

grant select, insert, update, delete on directory_names, directory_membership to highline_serve;
grant select, insert, delete on directory_updates to highline_serve;
