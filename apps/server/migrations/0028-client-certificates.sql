-- Routers prove who they are by a secret, by a client certificate, by either, or by both.
alter table routers add column authentication text not null default 'secret'
  check (authentication in ('secret', 'certificate', 'either', 'both'));

-- The certificate authority of a main account: it signs the client certificates of its routers.
create table main_account_cas (
  main_account_id uuid primary key references main_accounts,
  -- PEM.
  certificate text not null,
  -- PKCS #8, sealed under the master key.
  sealed_key bytea not null,
  created_at timestamptz not null
);

-- Client certificates that were issued. A router is found by the fingerprint of what it shows, so that revoking needs no list of others.
create table router_certificates (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  router_id uuid not null references routers on delete cascade,
  -- Hex digits.
  serial_number text not null,
  -- SHA-256 of its DER.
  fingerprint bytea not null unique,
  subject text not null,
  -- As its subject alternative name says; the router's own may change afterwards.
  endpoint_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set when another one takes its place: it counts until then.
  retires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index router_certificates_by_router on router_certificates (router_id, created_at desc);

grant select, insert, update, delete on main_account_cas, router_certificates to highline_serve;
