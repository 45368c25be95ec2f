export { loadToolsTab } from './load.ts';
