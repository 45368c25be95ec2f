export { scimModule } from './module.ts';
export { registerScim } from './protocol.ts';
