export { rolesModule } from './module.ts';
