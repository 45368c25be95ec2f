export { loadBackupsPanel } from './load.ts';
