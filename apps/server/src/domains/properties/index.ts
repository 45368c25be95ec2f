export { deletePropertiesOf, purgePropertiesOf } from './properties.store.ts';
export { propertiesModule } from './module.ts';
