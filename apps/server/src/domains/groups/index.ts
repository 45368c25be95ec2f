export { dropControls } from './control.store.ts';
export { deleteGroups } from './group-deletion.ts';
export { createDefaultGroup, createGroup, getGroup, getProjectGroup } from './groups.service.ts';
export { findGroups, listGroupNames, lockGroups } from './groups.store.ts';
export { groupsModule } from './module.ts';
