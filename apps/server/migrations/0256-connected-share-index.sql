-- highline: concurrently
create index concurrently if not exists organization_figures_connected on organization_figures (main_account_id, connected_share, organization_id);
