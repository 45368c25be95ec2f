export { createResponseSealing, sealContextOf } from './response.seal.ts';
export { createIdempotency, type Idempotency, type IdempotentCall, type StoredResponse } from './idempotency.ts';
export { purgeIdempotentCalls } from './idempotency.store.ts';
