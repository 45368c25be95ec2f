export { outagesModule } from './module.ts';
export { readKept } from './kept.queries.ts';
export { daysBetween, timeOf, type OutageTime } from './outages.period.ts';
export { keptLines, outageColumns, sumColumns } from './outages.export.ts';
export { withPlaces } from './outages.places.ts';
export { differenceOf, outageList, shareOf, sumList, type SumRow } from './outages.queries.ts';
