export { networksModule } from './module.ts';
export { createNetworks, type Networks } from './networks.service.ts';
