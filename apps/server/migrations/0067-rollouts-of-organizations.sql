-- highline: concurrently
create unique index concurrently if not exists bindings_of_organizations on bindings (organization_id, kind)
  where ended_at is null and group_key is null;
