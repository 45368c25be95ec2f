export { distanceKm, type Coordinates } from './geo.ts';
export type { StoredPositions } from './position.rows.ts';
export { registerPositionRoutes } from './positions.routes.ts';
export { createPositions, type Positions } from './positions.service.ts';
