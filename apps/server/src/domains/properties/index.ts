export { registerPropertyRoutes } from './properties.routes.ts';
export { deletePropertiesOf, purgePropertiesOf } from './properties.store.ts';
