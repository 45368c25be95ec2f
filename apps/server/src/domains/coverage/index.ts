export { createCoverageJobs } from './coverage.job.ts';
export { markLatePositions, markLateReports, placedReports } from './coverage.job.queries.ts';
export { readComparisons, readWorstCells, type DeviceComparison } from './device-coverage.job.queries.ts';
export { cellAt, centerOf, cornersOf, parentOf, resolutions } from './hexagons.ts';
export { coverageModule } from './module.ts';
export { vehicleColumns, zoneColumns } from './coverage.export.ts';
export { filterOf } from './coverage.service.ts';
export { deadZoneList, vehicleList } from './coverage.queries.ts';
