-- Users who have Full Control of a group; all others of the organization only read it (OLD-01, docs/decisions/0009-older-model.md).
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
grant select, insert, delete on group_controls to highline_serve;
