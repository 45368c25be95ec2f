export { deleteOrganization, purgeOrganizations } from './organization.deletion.ts';
export { organizationFiguresJob } from './organization.figures.ts';
export { organizationRetentionJob } from './organization.retention.ts';
export { registerOrganizationRoutes } from './organizations.routes.ts';
export { createOrganization, createOrganizationFinder, getOrganization } from './organizations.service.ts';
