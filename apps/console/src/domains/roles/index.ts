export { Rights } from './Rights.tsx';
export { giveRole, type OwnRole, ownRolesQuery } from './roles.api.ts';
