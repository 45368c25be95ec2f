export { scimModule } from './module.ts';
export { registerScim } from './protocol.ts';
export { removeDirectoryOf } from './secrets.store.ts';
