-- Summaries with an offset or another name that PostgreSQL does not know as a time zone: one stopped all that are sent by a schedule, and its list.
-- Whole hours are named `Etc/GMT-8`, whose sign is the other way round; others are of UTC.
update summaries set zone = case
    when zone ~ '^[+](0\d|1[0-4])(:?00)?$' then 'Etc/GMT-' || substr(zone, 2, 2)::integer
    when zone ~ '^-(0\d|1[0-2])(:?00)?$' then 'Etc/GMT+' || substr(zone, 2, 2)::integer
    else 'UTC' end
  where not exists (select from pg_timezone_names k where lower(k.name) = lower(summaries.zone));
-- The same of nightly backups and of people who are notified: calls reject such zones since.
update router_backup_settings set zone = case
    when zone ~ '^[+](0\d|1[0-4])(:?00)?$' then 'Etc/GMT-' || substr(zone, 2, 2)::integer
    when zone ~ '^-(0\d|1[0-2])(:?00)?$' then 'Etc/GMT+' || substr(zone, 2, 2)::integer
    else 'UTC' end
  where not exists (select from pg_timezone_names k where lower(k.name) = lower(router_backup_settings.zone));
update alert_people set zone = case
    when zone ~ '^[+](0\d|1[0-4])(:?00)?$' then 'Etc/GMT-' || substr(zone, 2, 2)::integer
    when zone ~ '^-(0\d|1[0-2])(:?00)?$' then 'Etc/GMT+' || substr(zone, 2, 2)::integer
    else 'UTC' end
  where zone is not null and not exists (select from pg_timezone_names k where lower(k.name) = lower(alert_people.zone));
