export { acceptsIdempotencyKey, describeApi, summaryOf } from './describe.ts';
export { breakingChanges } from './changes.ts';
export { jsonSchemaOf, type JsonSchema } from './schema.ts';
