export { recordingSettingsQuery } from './recordings.api.ts';
