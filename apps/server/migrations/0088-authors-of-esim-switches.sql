-- Who requested the switch to a profile, and by which call (docs/domains/esims.md); null = a plan or an alert rule, or it has begun or ended, or it was requested before.
alter table esim_profiles add column use_author jsonb;
