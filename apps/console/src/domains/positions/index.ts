export { loadTrailPanel } from './load.ts';
export { parseTrailDay } from './trail/trail-day.ts';
