export { createAnswerSealing, sealContextOf } from './answer.seal.ts';
export { createIdempotency, type Idempotency, type IdempotentCall, type StoredAnswer } from './idempotency.ts';
export { purgeIdempotentCalls } from './idempotency.store.ts';
