-- Roles that a company made for its own people (docs/domains/accounts.md, IAM-03).

create table own_roles (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  -- Null: of the main account's own people.
  organization_id uuid references organizations,
  name text not null,
  -- Parts of the product with what may be done there, such as devices.read.
  rights text[] not null,
  -- Its people see only the devices with one of these tags, or in one of own_role_groups; null: every device.
  limit_tags text[],
  created_by_email text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create unique index own_roles_by_name on own_roles (coalesce(organization_id, main_account_id), name_key(name));
create index own_roles_by_organization on own_roles (organization_id, id);
create index own_roles_by_main_account on own_roles (main_account_id, id);

-- A group that is deleted leaves the limit, and people see less.
create table own_role_groups (
  role_id uuid not null references own_roles on delete cascade,
  organization_id uuid not null,
  group_key text collate "C" not null,
  primary key (role_id, group_key),
  foreign key (organization_id, group_key) references groups (organization_id, key) on delete cascade
);
create index own_role_groups_by_group on own_role_groups (organization_id, group_key);

-- A role that someone has cannot be deleted.
create table account_own_roles (
  account_id uuid primary key references accounts on delete cascade,
  role_id uuid not null references own_roles
);
create index account_own_roles_by_role on account_own_roles (role_id, account_id);

grant select, insert, update, delete on own_roles, own_role_groups, account_own_roles to highline_serve;
-- highline: compatible since 0001
