export { visitsModule } from './module.ts';
