-- Some activation codes can be used only with a confirmation code, which the operator tells apart from them (SGP.22 3.1.3). It is sealed
-- like the activation code, goes where that goes, and is never read back to anybody.
alter table esim_profiles add column sealed_confirmation bytea;
alter table esim_profiles add check (sealed_confirmation is null or sealed_code is not null);
