-- A second factor of one's own choice: codes of an authenticator app (RFC 6238).
create table second_factors (
  account_id uuid primary key references accounts on delete cascade,
  -- The shared secret, sealed under the master key for this account.
  sealed_secret bytea not null,
  -- Null until a first code proved that the app has the secret; an unconfirmed one asks nobody for codes, and is purged.
  confirmed_at timestamptz,
  -- The time step whose code was taken last: neither it nor an older one is taken again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create index second_factors_unconfirmed on second_factors (created_at) where confirmed_at is null;

-- For the day the telephone is lost: each is taken once.
create table recovery_codes (
  account_id uuid not null references second_factors on delete cascade,
  -- SHA-256 of the account and the code.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);
grant select, insert, update, delete on second_factors, recovery_codes to highline_serve;
