-- Outages that began within ten minutes after a router came from another organization may name where it was there: the last place was looked up by router alone.
update outages x set latitude = null, longitude = null, hexagon = null from router_ownership o
where x.organization_id = o.organization_id and x.device_id = o.device_id and x.router_id = o.router_id
  and x.began_at >= o.owned_from and x.began_at < o.owned_from + interval '10 minutes' and x.latitude is not null
  and exists (select from router_ownership f
    where f.router_id = o.router_id and f.owned_from < o.owned_from and f.organization_id <> o.organization_id);
