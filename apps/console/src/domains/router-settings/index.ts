export { loadSettingsPanel } from './load.ts';
