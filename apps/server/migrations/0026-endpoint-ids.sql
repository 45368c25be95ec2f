-- Endpoint ids are entered by the main account and searched in its inventory.
create index routers_endpoint_search on routers using gin (endpoint_id gin_trgm_ops);
