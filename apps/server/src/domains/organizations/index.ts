export { purgeOrganizations } from './organization.deletion.ts';
export { registerOrganizationRoutes, type OrganizationRoutesDeps } from './organizations.routes.ts';
export { createOrganization, createOrganizationFinder, getOrganization, type NewOrganization } from './organizations.service.ts';
import './organizations.tables.ts';
