-- The mobile network's cell that serves a router, as it reports it (Device.Cellular.Interface.{i}.X_HIGHLINE_CellID).
alter table devices add column cell_id text collate "C";
