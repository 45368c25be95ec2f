export { figuresOf } from '../../compose/figures.ts';
export { listenForMetrics, type MetricsListener } from './listener.ts';
export { createMetrics } from './metrics.ts';
export { createSampled } from './sampled.ts';
