-- Directories that keep the people of an organization in step: SCIM 2.0 (docs/domains/scim.md).

-- What a directory signs in with; the secret itself is stored nowhere. Deleted when it is revoked, and 90 days after it expired.
create table scim_secrets (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  organization_id uuid not null references organizations,
  name text not null,
  secret_hash bytea not null,
  -- The first and last characters, to recognize it by.
  hint text collate "C" not null,
  created_by_email text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_address text
);
create unique index scim_secrets_secret on scim_secrets (secret_hash);
create index scim_secrets_by_organization on scim_secrets (organization_id, id);
create index scim_secrets_expiry on scim_secrets (expires_at);

-- What people of a directory may do who are in no group with a role.
create table scim_settings (
  organization_id uuid primary key references organizations,
  main_account_id uuid not null references main_accounts,
  default_role text collate "C" not null check (default_role in ('user', 'none')),
  version integer not null default 1,
  updated_at timestamptz not null
);

-- People whom a directory keeps. Others of the organization it may find, and then keeps them too.
create table scim_users (
  account_id uuid primary key references accounts on delete cascade,
  organization_id uuid not null references organizations,
  external_id text collate "C",
  user_name text not null,
  -- What the directory wrote, without what other columns have.
  content jsonb not null,
  is_active boolean not null,
  -- Roles of a person who has none while inactive or in no group with a role.
  kept_roles text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index scim_users_by_external_id on scim_users (organization_id, external_id) where external_id is not null;
create unique index scim_users_by_name on scim_users (organization_id, lower(user_name));

create table scim_groups (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  organization_id uuid not null references organizations,
  display_name text not null,
  external_id text collate "C",
  -- What its people may do; null = nothing follows from it.
  role text collate "C" check (role in ('admin', 'user')),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index scim_groups_by_name on scim_groups (organization_id, lower(display_name));

create table scim_members (
  group_id uuid not null references scim_groups on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  primary key (group_id, account_id)
);
create index scim_members_by_account on scim_members (account_id);

-- The last calls of a directory that changed something or failed: 100 of an organization, for 30 days.
create table scim_calls (
  id uuid primary key,
  organization_id uuid not null references organizations,
  at timestamptz not null,
  method text collate "C" not null,
  path text not null,
  status smallint not null,
  -- Why it was rejected; empty = it was not.
  detail text not null,
  address text not null
);
create index scim_calls_by_organization on scim_calls (organization_id, id);
create index scim_calls_by_time on scim_calls (at);

-- When the person signed in again by the provider of this session, for an act that needs that (docs/domains/identity-providers.md).
alter table sessions add column confirmed_at timestamptz;

grant select, insert, update, delete on scim_secrets, scim_settings, scim_users, scim_groups, scim_members, scim_calls to highline_serve;
-- highline: compatible since 0001
