-- highline: compatible since 0001
-- highline: concurrently

-- Whose messages a browser gets, when another person signs in on it. Addresses may be longer than an entry of a B-tree.
create index concurrently if not exists webhook_endpoints_of_browser on webhook_endpoints using hash (url) where format = 'push';
