// Counters as the gateway hands them over, and the readings next to them, for the benchmark.
export { createTelemetry } from '../domains/router-state/index.ts';
export { createUsage, type Usage } from '../domains/usage/index.ts';
export { readClientCounters, storeCounters } from '../domains/networks/index.ts';
