export { deleteOrganization, finishDeletions, purgeOrganizations } from './organization.deletion.ts';
export { createOrganization, createOrganizationFinder, getOrganization } from './organizations.service.ts';
export { organizationsModule } from './module.ts';
