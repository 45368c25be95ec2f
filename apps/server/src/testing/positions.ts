// Positions as the gateway hands them over, and what a composed server does where they are stored, for the benchmark.
export { comparePositions } from '../domains/alerts/index.ts';
export { markLatePositions } from '../domains/coverage/index.ts';
export { createGeofenceEvaluation } from '../domains/geofences/index.ts';
export { createPositions, type Positions } from '../domains/positions/index.ts';
