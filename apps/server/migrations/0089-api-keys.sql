-- HKS-02: API keys of an organization or a main account (docs/decisions/0054-api-keys.md). The key itself is never stored, only SHA-256 of it.
-- Deleted 90 days after it ended, and with its organization.
create table api_keys (
  id uuid primary key,
  main_account_id uuid not null,
  -- Null: the main account and all of its organizations.
  organization_id uuid,
  name text not null,
  -- Ids of the operations that it may call.
  operations text[] collate "C" not null,
  -- Networks that it may be used from; empty = any.
  ranges cidr[] not null default '{}',
  secret_hash bytea not null,
  -- The first and last characters, to recognize it by.
  hint text collate "C" not null,
  -- The key before the last rotation, valid until then.
  previous_hash bytea,
  previous_until timestamptz,
  -- Without a foreign key: the key outlives its maker, and then is of no use.
  made_by uuid not null,
  made_by_email text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  check ((previous_hash is null) = (previous_until is null))
);
create unique index api_keys_secret on api_keys (secret_hash);
create unique index api_keys_previous on api_keys (previous_hash) where previous_hash is not null;
create index api_keys_by_organization on api_keys (organization_id, id);
create index api_keys_of_main on api_keys (main_account_id, id);
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null;
grant select, insert, update, delete on api_keys to highline_serve;

-- The API key of an entry's actor; null = the actor was signed in. Covered by the hash where it is there.
alter table audit_entries add column actor_key text;
