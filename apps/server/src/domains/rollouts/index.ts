export { endBindings, membershipChanged } from './membership.ts';
