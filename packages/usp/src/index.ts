/** TR-369 USP records and messages, endpoint ids, paths, and the numbers of routers and SIMs. No I/O, no domain terms. */
export * from './activation-code.ts';
export * from './codec.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export type * from './message.ts';
export * from './numbers.ts';
export * from './path.ts';
export type * from './record.ts';
