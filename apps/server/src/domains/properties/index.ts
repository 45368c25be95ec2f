export { deletePropertiesOf } from './properties.store.ts';
export { propertiesModule } from './module.ts';
