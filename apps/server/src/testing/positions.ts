// Positions as the gateway hands them over, for the benchmark.
export { createPositions, type Positions } from '../domains/positions/index.ts';
