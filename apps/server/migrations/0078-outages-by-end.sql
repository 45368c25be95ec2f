-- highline: concurrently
-- What a period has of outages is what had not ended before it, however long ago it began: one that goes on has no end.
create index concurrently if not exists outages_by_end on outages (organization_id, (coalesce(ended_at, 'infinity')));
