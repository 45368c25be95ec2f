-- The last position of a router in a time in which an organization had it, kept when that time ends: router_positions has one row for each router,
-- which goes on elsewhere (POS-07).
create table former_positions (
  router_id uuid not null,
  owned_from timestamptz not null,
  at timestamptz not null,
  latitude double precision not null,
  longitude double precision not null,
  accuracy real,
  speed real,
  heading real,
  is_jump boolean not null,
  stored_at timestamptz not null,
  primary key (router_id, owned_from),
  foreign key (router_id, owned_from) references router_ownership on update cascade on delete cascade
);

-- Of routers that were not followed elsewhere since.
insert into former_positions (router_id, owned_from, at, latitude, longitude, accuracy, speed, heading, is_jump, stored_at)
  select o.router_id, o.owned_from, p.at, p.latitude, p.longitude, p.accuracy, p.speed, p.heading, p.is_jump, p.stored_at
  from router_ownership o join router_positions p on p.router_id = o.router_id and p.at >= o.owned_from and p.at < o.owned_until;

grant select, insert, update, delete on former_positions to highline_serve;
