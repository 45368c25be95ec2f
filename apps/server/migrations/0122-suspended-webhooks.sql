-- highline: concurrently
-- Suspended webhooks, which a metric counts.
create index concurrently if not exists webhook_endpoints_suspended on webhook_endpoints (id) where suspended_at is not null;
