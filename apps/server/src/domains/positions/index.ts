export { registerPositionRoutes } from './positions.routes.ts';
export { createPositions, type Positions } from './positions.service.ts';
export { GPS_TRAIL } from './paths.ts';
export { fixRejections } from './fix.ts';
import './positions.tables.ts';
