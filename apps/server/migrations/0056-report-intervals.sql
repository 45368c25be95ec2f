-- How often routers of a group report their readings; null = as the installation sets (REPORT_SECONDS).
alter table groups add column report_seconds integer check (report_seconds between 10 and 86400);
