-- highline: compatible since 0001
-- Which kind a summary had when it made the file of a run: who may not read that one does not open it. Null = the present one of the summary.
alter table summary_runs add column kind text collate "C";
