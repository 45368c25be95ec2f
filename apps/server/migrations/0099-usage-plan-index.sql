-- highline: concurrently
create index concurrently if not exists usage_sims_by_plan on usage_sims (organization_id, plan_id, iccid) where plan_id is not null;
