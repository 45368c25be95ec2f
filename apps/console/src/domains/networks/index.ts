export { loadNetworkTabs } from './load.ts';
