-- Properties that an organization gave its devices, and what each device has of them (OLD-02, docs/decisions/0009-older-model.md). At most
-- 32 of one organization: who adds holds the organization's row. They go with their organization alone.
create table custom_properties (
  organization_id uuid not null references organizations,
  key text collate "C" not null,
  name text collate "C" not null,
  type text collate "C" not null check (type in ('bool', 'number', 'string', 'picture')),
  unit text not null default '' check (unit = '' or type = 'number'),
  created_at timestamptz not null,
  primary key (organization_id, key)
);
create unique index custom_properties_by_name on custom_properties (organization_id, name);
grant select, insert, delete on custom_properties to highline_serve;

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
grant select, insert, update, delete on device_properties to highline_serve;
