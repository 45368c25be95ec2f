-- Identity providers: the sign-in of companies by OpenID Connect (docs/domains/identity-providers.md).

create table identity_providers (
  id uuid primary key,
  main_account_id uuid not null references main_accounts,
  -- Null: of the main account's own people.
  organization_id uuid references organizations,
  name text not null,
  issuer text collate "C" not null,
  client_id text collate "C" not null,
  -- Of a client without a secret, an empty one.
  sealed_secret bytea not null,
  scopes text not null,
  is_enabled boolean not null,
  -- An address without `email_verified` counts as verified.
  trusts_email boolean not null,
  -- Claim, value and role; the first that fits decides.
  rules jsonb not null,
  default_role text collate "C" not null check (default_role in ('admin', 'user', 'none')),
  -- The owner's people sign in by its providers only, but for those of break_glass.
  is_required boolean not null,
  -- E-mail addresses.
  break_glass text[] not null,
  created_by_email text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create index identity_providers_of_organization on identity_providers (organization_id, id);
create index identity_providers_of_main on identity_providers (main_account_id, id);

-- Domains of e-mail addresses: their people sign in by the provider once the domain is confirmed.
create table identity_domains (
  provider_id uuid not null references identity_providers on delete cascade,
  domain text collate "C" not null,
  main_account_id uuid not null references main_accounts,
  -- In the DNS record that proves it.
  token text collate "C" not null,
  confirmed text collate "C" check (confirmed in ('dns', 'assigned')),
  confirmed_at timestamptz,
  primary key (provider_id, domain)
);
-- Two companies of a main account never share a confirmed domain.
create unique index identity_domains_confirmed on identity_domains (domain, main_account_id) where confirmed is not null;

-- Who signed in by a provider: its name for the person is kept, since addresses change.
create table identity_links (
  provider_id uuid not null references identity_providers on delete cascade,
  subject text collate "C" not null,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (provider_id, subject)
);
create unique index identity_links_by_account on identity_links (account_id, provider_id);

-- Sessions that were begun by a provider, and what it calls the person and the session; they go with the session.
create table identity_sessions (
  bearer_hash bytea primary key references sessions on delete cascade,
  account_id uuid not null,
  provider_id uuid not null,
  subject text collate "C" not null,
  -- Claim `sid`; null = the provider has none.
  provider_session text collate "C"
);
create index identity_sessions_by_subject on identity_sessions (provider_id, subject);
create index identity_sessions_by_session on identity_sessions (provider_id, provider_session) where provider_session is not null;

grant select, insert, update, delete on identity_providers, identity_domains, identity_links, identity_sessions to highline_serve;
-- highline: compatible since 0001
