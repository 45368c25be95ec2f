-- highline: compatible since 0001
-- Nightly backups are begun in the name of who saved them (TPL-06). Since when that person may not do it any more; null = they may.

alter table router_backup_settings add column stopped_at timestamptz;
