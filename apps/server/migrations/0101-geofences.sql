-- Areas of an organization, and which vehicles are inside (docs/decisions/0059-geofences.md).
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
  updated_at timestamptz not null default now()
);
create unique index geofences_by_name on geofences (organization_id, name);

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

grant select, insert, update, delete on geofences, geofence_states, geofence_events to highline_serve;
