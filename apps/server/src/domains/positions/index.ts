export { registerPositionRoutes } from './positions.routes.ts';
export { createPositions, type Positions } from './positions.service.ts';
import './positions.tables.ts';
