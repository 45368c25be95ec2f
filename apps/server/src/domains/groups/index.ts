export { dropControls } from './control.store.ts';
export { createDefaultGroup, createGroup, deleteGroups, getGroup, getProjectGroup } from './groups.service.ts';
export { findGroups, listGroupNames, lockGroups } from './groups.store.ts';
export { groupsModule } from './module.ts';
