export { groupOperations } from './key-operations.ts';
export { createKeyLimiter, type KeyLimiter } from './key-limits.ts';
export { revokeKey } from './api-keys.service.ts';
export { purgeKeys } from './api-keys.purge.ts';
export { createKeyReader, type KeyCaller, type KeyReader } from './key-reader.queries.ts';
export { apiKeysModule } from './module.ts';
