export { createDirectory } from './directory.service.ts';
export { createDirectoryClient } from './directory-client.ts';
export { createClaim, membershipJob } from './membership.service.ts';
export { findPass, joinDirectory, leaveDirectory } from './membership.store.ts';
export { createCellKeys } from './names.ts';
