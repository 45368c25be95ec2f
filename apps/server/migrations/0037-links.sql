-- Links that show where vehicles are, without sign-in (docs/domains/links.md). Deleted 90 days after they ended, and with their organization.

create table links (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  organization_id uuid not null references organizations,
  -- What it shows: one of them. Without foreign keys: when either is gone, the link ends and is listed for a while.
  device_id uuid,
  group_key text collate "C",
  check ((device_id is null) <> (group_key is null)),
  note text not null default '',
  shows_names boolean not null,
  -- SHA-256 of the token; the token itself is only in the link.
  token_hash bytea not null,
  -- In whose name it shows: the link ends when they may no longer share.
  author jsonb not null,
  created_by_email text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was last looked at whether what it shows is there and its maker may share.
  looked_at timestamptz not null,
  ended_at timestamptz,
  end_reason text collate "C" check (end_reason in ('expired', 'revoked', 'gone', 'maker')),
  check ((ended_at is null) = (end_reason is null)),
  opened integer not null default 0,
  last_opened_at timestamptz
);
create unique index links_by_token on links (token_hash);
create index links_of_organization on links (organization_id, id);
create index links_of_main on links (main_account_id, id);
create index links_by_expiry on links (expires_at) where ended_at is null;
create index links_by_look on links (looked_at) where ended_at is null;
create index links_ended on links (ended_at) where ended_at is not null;

grant select, insert, update, delete on links to highline_serve;
-- highline: compatible since 0001
