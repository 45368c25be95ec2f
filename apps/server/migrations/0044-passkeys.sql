-- Passkeys (WebAuthn) of people (docs/domains/accounts.md).

create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- As the authenticator calls it, in base64url.
  credential_id text collate "C" not null unique,
  -- COSE.
  public_key bytea not null,
  -- Of the last use; 0 where the authenticator does not count.
  counter bigint not null,
  name text not null,
  transports text[] not null,
  -- Its provider keeps a copy, as for more than one device.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, created_at);

-- Challenges that were answered: a second time they are not accepted. They are kept until they expire, some minutes.
create table passkey_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

grant select, insert, update, delete on passkeys, passkey_challenges to highline_serve;
-- highline: compatible since 0001
