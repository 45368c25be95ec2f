-- The main account sorts the profiles of all its organizations by the same columns as an organization sorts its own (SIM-01).
create index esims_of_main_by_name on esim_profiles (main_account_id, name, serial, id);
create index esims_of_main_by_carrier on esim_profiles (main_account_id, carrier, serial, id);
create index esims_of_main_by_iccid on esim_profiles (main_account_id, iccid, id);
create index esims_of_main_by_apn on esim_profiles (main_account_id, apn, serial, id);
create index esims_of_main_by_status on esim_profiles (main_account_id, status, serial, id);
create index esims_of_main_by_age on esim_profiles (main_account_id, updated_at, id);
