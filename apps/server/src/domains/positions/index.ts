export { distanceKm, type Coordinates } from './geo.ts';
export { storePositions, type StoredPositions } from './position.rows.ts';
export { createPositions, type Positions } from './positions.service.ts';
export type { PositionDocument } from './push.ts';
export { positionsModule } from './module.ts';
export { addServedPositions } from './serving-cells.job.ts';
