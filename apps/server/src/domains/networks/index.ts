export { networksModule } from './module.ts';
export { purgeClientsOf } from './use/use.store.ts';
export { createNetworks, type Networks } from './networks.service.ts';
