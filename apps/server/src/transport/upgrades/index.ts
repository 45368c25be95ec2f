export { Allowance, networkOf } from './allowance.ts';
export { refuse } from './refuse.ts';
