export { registerPropertyRoutes } from './properties.routes.ts';
export { forgetPropertiesOf, purgePropertiesOf } from './properties.store.ts';
