-- Figures of each organization for the fleet overview of its main account (docs/decisions/0049-fleet-overview.md): kept by a job after each change, so
-- that no page counts devices, and each figure has an index in its order.
create table organization_figures (
  organization_id uuid primary key references organizations (id) on delete cascade,
  main_account_id uuid not null,
  devices integer not null default 0,
  online integer not null default 0,
  -- Share of devices online in thousandths; null without devices.
  online_share integer generated always as (case when devices > 0 then online * 1000::bigint / devices end) stored,
  expiring integer not null default 0,
  -- Groups with failed routers in an active rollout, and with a paused one.
  failed_rollouts integer not null default 0,
  paused_rollouts integer not null default 0
);
create index organization_figures_online on organization_figures (main_account_id, online_share, organization_id);
create index organization_figures_devices on organization_figures (main_account_id, devices, organization_id);
create index organization_figures_expiring on organization_figures (main_account_id, expiring, organization_id);
create index organization_figures_failed on organization_figures (main_account_id, failed_rollouts, organization_id);
create index organization_figures_paused on organization_figures (main_account_id, organization_id) where paused_rollouts > 0;

grant select, insert, update on organization_figures to highline_serve;

create function add_organization_figures() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into organization_figures (organization_id, main_account_id) select o.id, o.main_account_id from added o;
  return null;
end $$;

create trigger organizations_added after insert on organizations referencing new table as added
  for each statement execute function add_organization_figures();

-- The trigger holds a lock until here. The job fills in the figures when a server starts.
insert into organization_figures (organization_id, main_account_id) select o.id, o.main_account_id from organizations o;
