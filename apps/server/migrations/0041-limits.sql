-- Limits of people: one of an organization may see only the devices of some groups and tags (docs/domains/users.md, IAM-04).

-- With a row, a person is limited, whatever is left of its groups.
create table account_limits (
  account_id uuid primary key references accounts on delete cascade,
  -- The one it was set in: in another one its person sees nothing.
  organization_id uuid not null references organizations,
  -- Tags of devices, in any case.
  tags text[] not null,
  updated_at timestamptz not null
);
create index account_limits_by_organization on account_limits (organization_id, account_id);

-- A group that is deleted leaves the limit, and its person sees less.
create table account_limit_groups (
  account_id uuid not null references account_limits on delete cascade,
  organization_id uuid not null,
  group_key text collate "C" not null,
  primary key (account_id, group_key),
  foreign key (organization_id, group_key) references groups (organization_id, key) on delete cascade
);
create index account_limit_groups_by_group on account_limit_groups (organization_id, group_key);

grant select, insert, update, delete on account_limits, account_limit_groups to highline_serve;
