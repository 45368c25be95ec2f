-- A wizard that is sent twice creates one organization: it brings a key of its own making, and the second finds the first.
alter table organizations add column request_key uuid;
create unique index organizations_by_request on organizations (main_account_id, request_key) where request_key is not null;

-- A deleted organization is purged after its grace. Its row stays, emptied: it says whose audit chain it is.
alter table organizations add column purged_at timestamptz;
create index organizations_to_purge on organizations (deleted_at) where deleted_at is not null and purged_at is null;
