-- Jobs that delete rows of other lists (docs/decisions/0067-jobs-of-every-list.md): an item is then not a device, but the row with this key in its
-- list; `serial` has the name that the row had.
alter table bulk_job_items alter column device_id drop not null;
alter table bulk_job_items add column subject text collate "C";
