-- 1. Where an organization's vehicles are while a cell of a mobile network serves them (docs/domains/positions.md). Deleted when no vehicle had a position
-- there for as long as positions are kept, and with the organization.

create table serving_cells (
  organization_id uuid not null references organizations,
  -- As routers report them. Two carriers, or LTE and NR, may use one number for two cells.
  carrier text collate "C" not null,
  technology text collate "C" not null,
  cell text collate "C" not null,
  -- Squares of a thousandth of a degree in which a vehicle was, each once, the one that was seen longest ago first: thousandths of a degree, and the day
  -- (since 1970, UTC) when one was last there. Not which vehicle.
  latitudes integer[] not null,
  longitudes integer[] not null,
  days integer[] not null,
  oldest_day integer not null,
  -- The middle of the squares, degrees, and the distance within which nine of ten are, metres; null = they say too little.
  latitude double precision,
  longitude double precision,
  radius real,
  check ((radius is null) = (latitude is null) and (radius is null) = (longitude is null)),
  primary key (organization_id, carrier, technology, cell)
);
create index serving_cells_by_age on serving_cells (oldest_day);

grant select, insert, update, delete on serving_cells to highline_serve;

-- 2. The colour of each carrier in charts, by organization, and by main account for what it sees of all of them: it stays when other carriers come
-- (docs/domains/devices.md). At most a hundred of an owner, and deleted with the organization.

create table carrier_colors (
  -- An organization or a main account.
  owner_id uuid not null,
  carrier text collate "C" not null,
  -- Place in the palette, from 1.
  color smallint not null check (color between 1 and 5),
  since timestamptz not null default now(),
  primary key (owner_id, carrier)
);

grant select, insert, update, delete on carrier_colors to highline_serve;
-- highline: compatible since 0001
