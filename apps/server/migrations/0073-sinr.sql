-- The signal to interference and noise ratio (3GPP TS 36.214 and 38.215), reading number 9: it takes the place behind the others in the rollups, whose older rows end
-- before it.
alter table telemetry_reports add column sinr double precision;
insert into telemetry_parameters (id, name, unit) values (9, 'sinr', 'dB');
