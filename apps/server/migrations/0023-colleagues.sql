-- People of the main account itself: listed, and each with when they signed in last. Sessions are gone once they end; this stays.
alter table accounts add column signed_in_at timestamptz;
-- They are few among a main account's thousands.
create index accounts_of_main on accounts (main_account_id, name collate "C", id)
  where 'r.kmpService.vendor.super' = any (roles);

-- Which invitation is still open is asked for each person of a page; and a deleted account takes its links along.
create index mailed_links_by_account on mailed_links (account_id, created_at);
