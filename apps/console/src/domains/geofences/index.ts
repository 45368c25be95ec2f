export { ringsOf } from './draft.ts';
export { addGeofences, setGeofences } from './geofence-layers.ts';
