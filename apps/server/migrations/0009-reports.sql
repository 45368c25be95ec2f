-- What people keep of reports and analysis, and what records are found by.

-- Questions somebody wants to ask again (RPT-01).
create table saved_reports (
  organization_id uuid not null references organizations,
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  name text collate "C" not null,
  -- The search arguments under their names on the wire, without name and organization.
  question jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, account_id, id)
);
create unique index saved_reports_by_name on saved_reports (account_id, organization_id, name);

-- Charts on somebody's overview (OVW-08).
create table pinned_charts (
  organization_id uuid not null references organizations,
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  -- SHA-256 of question, type of chart and mark: the same chart again is the same pin.
  identity bytea not null,
  chart_type text collate "C" not null,
  arguments jsonb not null,
  spec jsonb not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, account_id, id)
);
create unique index pinned_charts_by_identity on pinned_charts (account_id, organization_id, identity);

-- Records of many routers in the order of time. One router tells all of its parameters at one instant, which this index holds once:
-- it costs some ten bytes a value, and values arrive at its end.
create index telemetry_by_time on telemetry (at);
create index connectivity_by_time on connectivity (at);

grant select, insert, update, delete on saved_reports, pinned_charts to highline_serve;
