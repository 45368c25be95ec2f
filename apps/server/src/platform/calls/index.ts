export * from './attachment.ts';
export * from './call.ts';
export * from './call-steps.ts';
export * from './caller.ts';
export * from './entity-tag.ts';
export * from './json-stream.ts';
export * from './query-flag.ts';
export * from './without-limit.ts';
