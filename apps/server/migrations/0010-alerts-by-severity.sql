-- highline: concurrently
-- The inbox opens on what is open, the most severe first (SAY-06).
create index concurrently if not exists alerts_open_by_severity on alerts
  (organization_id, (case severity when 'critical' then 3 when 'warning' then 2 else 1 end) desc, fired_at desc, id desc) where state <> 'resolved';
create index concurrently if not exists alerts_open_of_main_by_severity on alerts
  (main_account_id, (case severity when 'critical' then 3 when 'warning' then 2 else 1 end) desc, fired_at desc, id desc) where state <> 'resolved';
create index concurrently if not exists alerts_by_severity on alerts
  (organization_id, (case severity when 'critical' then 3 when 'warning' then 2 else 1 end) desc, fired_at desc, id desc);
create index concurrently if not exists alerts_of_main_by_severity on alerts
  (main_account_id, (case severity when 'critical' then 3 when 'warning' then 2 else 1 end) desc, fired_at desc, id desc);
create index concurrently if not exists webhook_endpoints_of_account on webhook_endpoints (account_id) where account_id is not null;
