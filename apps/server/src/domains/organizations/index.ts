export { deleteOrganization, finishDeletions, purgeOrganizations } from './organization.deletion.ts';
export { createOrganization, createOrganizationFinder } from './organizations.service.ts';
export { organizationsModule } from './module.ts';
