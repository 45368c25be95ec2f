-- Saved views of lists (docs/decisions/0051-palette-and-saved-views.md).
create table saved_views (
  id uuid primary key,
  main_account_id uuid not null,
  -- Null: of the main account itself.
  organization_id uuid references organizations,
  -- Who made it. Null: that account was deleted, and the view is shared.
  account_id uuid references accounts on delete set null,
  list text collate "C" not null,
  name text not null,
  is_shared boolean not null default false,
  -- The contract's `viewContent`.
  content jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (is_shared or account_id is not null)
);
create unique index saved_views_by_name on saved_views (account_id, organization_id, list, name) nulls not distinct where account_id is not null;
create index saved_views_shared on saved_views (main_account_id, organization_id) where is_shared;

-- The view that a list opens with, for each person.
create table default_views (
  account_id uuid not null references accounts on delete cascade,
  organization_id uuid references organizations,
  list text collate "C" not null,
  view_id uuid not null references saved_views on delete cascade
);
create unique index default_views_by_list on default_views (account_id, organization_id, list) nulls not distinct;
create index default_views_of_view on default_views (view_id);

grant select, insert, update, delete on saved_views, default_views to highline_serve;

-- The views that a person shared stay when the account is deleted; the others go with it, before the reference to it is emptied.
create function forget_views_of_account() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from saved_views v where v.account_id = old.id and not v.is_shared;
  return old;
end $$;
create trigger accounts_forget_views before delete on accounts for each row execute function forget_views_of_account();
