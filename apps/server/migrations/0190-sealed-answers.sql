-- Answers have activation codes of eSIMs and other secrets: those of calls with an Idempotency-Key are sealed under the master key.
alter table idempotent_calls add column sealed_answer bytea;
-- Only the server has the key, so answers in the clear are dropped: a call that is sent again says that its answer is not stored.
update idempotent_calls set answer = null where answer is not null;
