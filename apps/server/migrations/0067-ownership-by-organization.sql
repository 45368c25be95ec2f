-- highline: concurrently
-- For the retention of one organization.
create index concurrently if not exists router_ownership_by_organization on router_ownership (organization_id, router_id, owned_from);
create index concurrently if not exists organizations_with_retention on organizations (id) where retention_days is not null;
