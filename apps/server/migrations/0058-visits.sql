-- People of elsewhere who act in an organization for a time (docs/domains/visits.md, IAM-05). Deleted 90 days after they ended, and with their
-- organization.

create table visits (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  organization_id uuid not null references organizations,
  -- support: every person of the main account; guest: one person.
  kind text collate "C" not null check (kind in ('support', 'guest')),
  account_id uuid references accounts on delete cascade,
  check ((kind = 'guest') = (account_id is not null)),
  role text collate "C" not null check (role in ('admin', 'user')),
  -- Groups that a guest is limited to; null = everything.
  group_keys text[],
  granted_by_email text collate "C" not null,
  created_at timestamptz not null,
  -- Null: until it is ended.
  until timestamptz,
  check (kind = 'support' or until is not null),
  -- When its guest got the mail a week before the end.
  warned_at timestamptz,
  ended_at timestamptz,
  -- Null: by itself.
  ended_by_email text collate "C"
);
create index visits_of_organization on visits (organization_id, id);
create index visits_of_main on visits (main_account_id, id) where kind = 'support' and ended_at is null;
create index visits_of_account on visits (account_id, id) where account_id is not null;
create unique index visits_one_support on visits (organization_id) where kind = 'support' and ended_at is null;
create index visits_by_end on visits (until) where ended_at is null and until is not null;
create index visits_ended on visits (ended_at) where ended_at is not null;

-- What a session has entered; it reads as ended once that has, or is gone.
alter table sessions add column visit_id uuid;

grant select, insert, update, delete on visits to highline_serve;
