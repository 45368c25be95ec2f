export { figuresOf } from './figures.ts';
export { listenForMetrics, type MetricsListener } from './listener.ts';
export { createMetrics } from './metrics.ts';
export { createSampled } from './sampled.ts';
