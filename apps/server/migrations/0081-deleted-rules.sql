-- What messages about the end of alerts need of their rule, which was deleted: its name, severity, channels and main account. Gone with the throttle.
alter table alert_bursts add column deleted_rule jsonb;
