export { registerPropertyRoutes } from './properties.routes.ts';
export { deletePropertiesOf, purgePropertiesOf } from './properties.store.ts';
import './properties.tables.ts';
