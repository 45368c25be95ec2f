-- highline: concurrently
create index concurrently if not exists usage_sims_without_carrier on usage_sims (organization_id, iccid) where carrier = '';
