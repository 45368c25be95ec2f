-- The last attempt of a router to connect that was rejected though its credential was right. One row per router; a connection removes it.
create table router_rejections (
  router_id uuid primary key references routers on delete cascade,
  at timestamptz not null,
  reason text not null,
  -- What the router sent in place of what was expected, sanitized and cut.
  said text,
  address text not null
);
grant select, insert, update, delete on router_rejections to highline_serve;
