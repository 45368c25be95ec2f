export { loadPinnedCharts } from './load.ts';
export { pinsQuery } from './pins.api.ts';
