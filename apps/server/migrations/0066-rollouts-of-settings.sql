-- highline: compatible since 0001
-- Settings reach routers by rollouts (TPL-03): of a group, or of the whole organization (docs/decisions/0165-rollouts-of-settings.md). An older
-- process does not know this kind.

alter table bindings drop constraint bindings_kind_check;
alter table bindings add constraint bindings_kind_check check (kind in ('firmware', 'config', 'settings')) not valid;
alter table bindings validate constraint bindings_kind_check;
-- Only of settings; null = the whole organization.
alter table bindings alter column group_key drop not null;
alter table bindings add constraint bindings_group_check check (not (group_key is null and kind <> 'settings')) not valid;
alter table bindings validate constraint bindings_group_check;
-- Version of the level that is brought to routers.
alter table bindings add column settings_version integer;
alter table bindings add constraint bindings_settings_check check ((kind <> 'settings') = (settings_version is null)) not valid;
alter table bindings validate constraint bindings_settings_check;
