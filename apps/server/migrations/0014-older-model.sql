-- What of the older model lives on (OLD-01 … OLD-04, docs/decisions/0009-older-model.md).

-- Routers in stock by model: what a batch of devices is taken from (OLD-04).
create index routers_free_by_model on routers (main_account_id, model collate "C", serial, id) where organization_id is null;
