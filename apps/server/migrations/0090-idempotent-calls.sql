-- HKS-04: calls that were sent with an Idempotency-Key (docs/decisions/0055-idempotency-and-limits.md). Deleted 24 hours after they began.
create table idempotent_calls (
  -- The API key or account that made the call.
  owner_id uuid not null,
  key text collate "C" not null,
  operation text collate "C" not null,
  -- SHA-256 of the operation and of everything that was sent.
  request_hash bytea not null,
  started_at timestamptz not null,
  -- While a process works on it, renewed; a lapsed one of a call without an effect may begin again.
  leased_until timestamptz not null,
  -- Written in the transaction of the effect.
  applied_at timestamptz,
  -- The answer; null while there is none, or where it must not be stored.
  status smallint,
  answer text,
  primary key (owner_id, key)
);
create index idempotent_calls_started on idempotent_calls (started_at);
grant select, insert, update, delete on idempotent_calls to highline_serve;
