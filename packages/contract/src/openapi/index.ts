export { acceptsIdempotencyKey } from './describe-parameters.ts';
export { describeApi, summaryOf } from './describe.ts';
export { exampleOf } from './examples.ts';
export { breakingChanges } from './changes.ts';
export { jsonSchemaOf, type JsonSchema } from './schema.ts';
