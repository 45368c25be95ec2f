export { organizationGroupList } from './groups.lists.ts';
export { loadGroupList } from './load.ts';
