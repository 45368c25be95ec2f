-- highline: concurrently
-- The map shows the most severe open alert of each vehicle: one look-up a vehicle, also while thousands of alerts are open.
create index concurrently if not exists alerts_open_of_device on alerts (organization_id, device_id, severity) where state <> 'resolved';
