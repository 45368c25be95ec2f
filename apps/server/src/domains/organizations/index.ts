export { deleteOrganization, purgeOrganizations } from './organization.deletion.ts';
export { organizationFiguresJob } from './organization.figures.ts';
export { organizationRetentionJob } from './organization.retention.ts';
export { createOrganization, createOrganizationFinder, getOrganization } from './organizations.service.ts';
export { organizationsModule } from './module.ts';
