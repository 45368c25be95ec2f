-- highline: compatible since 0001
-- Schema files of an organization: parameters of models that the standard does not have (docs/domains/router-settings.md).

create table router_setting_schemas (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text collate "C" not null,
  -- As it was uploaded and validated.
  content jsonb not null,
  created_by text collate "C" not null,
  created_at timestamptz not null
);
create unique index router_setting_schemas_by_name on router_setting_schemas (organization_id, name_key(name));

grant select, insert, update, delete on router_setting_schemas to highline_serve;
