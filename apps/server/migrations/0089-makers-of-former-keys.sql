-- Whose rights the former secret of a key has until it ends: the maker before the last rotation. Null: as the key, as in rotations of before.
alter table api_keys add column previous_made_by uuid;
