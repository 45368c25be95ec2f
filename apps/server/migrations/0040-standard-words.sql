-- Standard terms for tables and columns (docs/glossary.md). Renames only: rows, constraints and grants stay.
alter table errands rename to remote_calls;
alter table remote_calls rename column room to topic;
alter table remote_calls rename column said to payload;
alter table remote_calls rename column asked_at to requested_at;
alter table remote_calls rename column taken_at to claimed_at;
alter index errands_pkey rename to remote_calls_pkey;
alter index errands_open rename to remote_calls_open;
alter table remote_calls rename constraint errands_room_check to remote_calls_topic_check;

alter table router_rejections rename column said to received;

alter table notification_events rename column told_at to notified_at;
alter index notification_events_untold rename to notification_events_pending;
alter table notification_pauses rename to notification_throttles;
alter index notification_pauses_pkey rename to notification_throttles_pkey;
alter table remote_calls rename constraint errands_organization_id_fkey to remote_calls_organization_id_fkey;
