-- highline: concurrently
-- The devices that have a tag: the filter of lists, and the tags of an organization with their numbers. Devices without tags cost nothing.
create index concurrently if not exists devices_by_tag on devices using gin (tags) where archived_at is null and tags <> '{}';
create index concurrently if not exists devices_tagged on devices (organization_id, id) where archived_at is null and tags <> '{}';
