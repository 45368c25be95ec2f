-- Cells: several installations behind one directory (docs/decisions/0045-cells.md). The tables are empty everywhere else.

-- In the directory: the cell that has a name. The hashes are keyed, so nothing here is personal data or a secret.
create table directory_names (
  kind text collate "C" not null check (kind in ('email', 'serial', 'mac', 'endpoint', 'secret')),
  hash bytea not null check (length(hash) = 32),
  cell text collate "C" not null,
  -- When the cell last sent it.
  seen_at timestamptz not null default now(),
  primary key (kind, hash)
);
create index directory_names_by_cell on directory_names (cell, seen_at);
grant select, insert, update, delete on directory_names to highline_serve;

-- In a cell: one row once it has a directory, and how far it has sent all its names again.
create table directory_membership (
  is_only boolean primary key default true check (is_only),
  cell text not null,
  -- Time of the directory.
  pass_began_at timestamptz,
  -- What is sent next, and after which row; null = the first.
  pass_table text check (pass_table in ('accounts', 'routers')),
  pass_after uuid,
  pass_ended_at timestamptz
);
grant select, insert, update, delete on directory_membership to highline_serve;

-- In a cell: what changed and is not in the directory yet; written in the transaction of the change.
create table directory_updates (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  name text not null,
  is_added boolean not null
);
create index directory_updates_by_transaction on directory_updates (xid);
grant select, insert, delete on directory_updates to highline_serve;

create function note_directory_names(removed jsonb, added jsonb) returns void language sql as $$
  insert into directory_updates (kind, name, is_added)
  select n ->> 0, n ->> 1, is_added
  from (select jsonb_array_elements(removed) as n, false as is_added
        union all select jsonb_array_elements(added), true) names
  where n ->> 1 is not null
    and not (case when is_added then removed else added end @> jsonb_build_array(n))
    and exists (select from directory_membership)
  order by is_added;
$$;

create function note_account_names() returns trigger language plpgsql as $$
begin
  perform note_directory_names(
    case when tg_op = 'INSERT' then '[]' else jsonb_build_array(jsonb_build_array('email', old.email)) end,
    case when tg_op = 'DELETE' then '[]' else jsonb_build_array(jsonb_build_array('email', new.email)) end);
  return null;
end $$;
create trigger accounts_to_directory after insert or delete or update of email on accounts
  for each row execute function note_account_names();

create function directory_names_of(router routers) returns jsonb language sql immutable as $$
  select jsonb_build_array(
    jsonb_build_array('serial', router.serial), jsonb_build_array('mac', router.mac),
    jsonb_build_array('endpoint', router.endpoint_id), jsonb_build_array('secret', encode(router.secret_hash, 'hex')),
    jsonb_build_array('secret', encode(router.previous_secret_hash, 'hex')));
$$;
create function note_router_names() returns trigger language plpgsql as $$
begin
  perform note_directory_names(
    case when tg_op = 'INSERT' then '[]' else directory_names_of(old) end,
    case when tg_op = 'DELETE' then '[]' else directory_names_of(new) end);
  return null;
end $$;
create trigger routers_to_directory
  after insert or delete or update of serial, mac, endpoint_id, secret_hash, previous_secret_hash on routers
  for each row execute function note_router_names();
