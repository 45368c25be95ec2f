export { listenForMetrics, type MetricsListener } from './listener.ts';
export { createMetrics, type Figure } from './metrics.ts';
export { createSampled } from './sampled.ts';
