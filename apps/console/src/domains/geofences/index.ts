export { addGeofences, setGeofences } from './geofence-layers.ts';
