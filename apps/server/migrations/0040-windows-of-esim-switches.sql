-- When a router may switch to the profile that was requested (docs/domains/windows.md); null = at any time.
alter table esim_profiles add column use_window jsonb;
