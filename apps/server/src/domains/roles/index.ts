export { purgeRolesOf } from './roles.store.ts';
export { rolesModule } from './module.ts';
