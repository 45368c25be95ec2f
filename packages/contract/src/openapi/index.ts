export { acceptsIdempotencyKey, describeApi, jsonSchemaOf, summaryOf, type JsonSchema } from './describe.ts';
export { breakingChanges } from './changes.ts';
