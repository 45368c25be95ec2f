-- Commands that an organization made for its routers, out of a fixed set (OLD-03, docs/decisions/0009-older-model.md). At most 32 of one organization, 2 of them pinned: who
-- adds or pins holds the organization's row.
create table custom_commands (
  organization_id uuid not null references organizations,
  id uuid not null,
  name text collate "C" not null,
  kind text collate "C" not null check (kind in ('reboot', 'identify', 'report', 'roaming', 'name', 'zone')),
  argument text not null default '',
  is_pinned boolean not null default false,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index custom_commands_by_name on custom_commands (organization_id, name);
grant select, insert, update, delete on custom_commands to highline_serve;
