import * as contract from './index.ts';
import type { Operation } from './operation.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'scope' in value && 'summary' in value;

/** Every operation of the product: the server registers exactly these, the tenant matrix tests exactly these. */
export const allOperations: readonly Operation[] = [
  ...new Set(
    Object.values<unknown>(contract)
      .flatMap((part) => Object.values<unknown>(Object(part)))
      .filter(isOperation),
  ),
];
