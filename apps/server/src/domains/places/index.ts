export { placesModule } from './module.ts';
