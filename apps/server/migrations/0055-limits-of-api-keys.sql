-- An API key may see only the devices of some groups and tags (docs/domains/api-keys.md, IAM-04).

-- Null: every device that its maker sees.
alter table api_keys add column limit_tags text[];

-- A group that is deleted leaves the limit, and programs see less.
create table api_key_groups (
  key_id uuid not null references api_keys on delete cascade,
  organization_id uuid not null,
  group_key text collate "C" not null,
  primary key (key_id, group_key),
  foreign key (organization_id, group_key) references groups (organization_id, key) on delete cascade
);
create index api_key_groups_by_group on api_key_groups (organization_id, group_key);

grant select, insert, update, delete on api_key_groups to highline_serve;
