export { createGeofenceEvaluation, type GeofenceEvaluation } from './geofence.evaluation.ts';
export { purgeGeofenceEvents } from './geofence-events.job.queries.ts';
export { areaOf, boxOf, isWithin } from './geometry.ts';
export { completeCrossings } from './silence.ts';
export { importGeofences } from './geofences.import.ts';
export { isGeofence, moveStates } from './geofences.store.ts';
export { geofencesModule } from './module.ts';
