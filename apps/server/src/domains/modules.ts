import { accountsModule } from './accounts/index.ts';
import { alertsModule } from './alerts/index.ts';
import { analysisModule } from './analysis/index.ts';
import { apiKeysModule } from './api-keys/index.ts';
import { approvalsModule } from './approvals/index.ts';
import { bulkJobsModule } from './bulk-jobs/index.ts';
import { commandsModule } from './commands/index.ts';
import { configsModule } from './configs/index.ts';
import { coverageModule } from './coverage/index.ts';
import { devicesModule } from './devices/index.ts';
import { diagnosisModule } from './diagnosis/index.ts';
import { esimsModule } from './esims/index.ts';
import { firmwareModule } from './firmware/index.ts';
import { geofencesModule } from './geofences/index.ts';
import { groupsModule } from './groups/index.ts';
import { identityProvidersModule } from './identity-providers/index.ts';
import { inventoryModule } from './inventory/index.ts';
import { linksModule } from './links/index.ts';
import { logsModule } from './logs/index.ts';
import { mailsModule } from './mails/index.ts';
import { networksModule } from './networks/index.ts';
import { notificationsModule } from './notifications/index.ts';
import { organizationsModule } from './organizations/index.ts';
import { outagesModule } from './outages/index.ts';
import { placesModule } from './places/index.ts';
import { positionsModule } from './positions/index.ts';
import { propertiesModule } from './properties/index.ts';
import { recordingsModule } from './recordings/index.ts';
import { reportsModule } from './reports/index.ts';
import { routerBackupsModule } from './router-backups/index.ts';
import { routerSettingsModule } from './router-settings/index.ts';
import { rolesModule } from './roles/index.ts';
import { rolloutsModule } from './rollouts/index.ts';
import { scimModule } from './scim/index.ts';
import { searchModule } from './search/index.ts';
import { summariesModule } from './summaries/index.ts';
import { toolsModule } from './tools/index.ts';
import { usageModule } from './usage/index.ts';
import { viewsModule } from './views/index.ts';
import { visitsModule } from './visits/index.ts';
import { webhooksModule } from './webhooks/index.ts';
import { clientRuleEnd } from './remote-access/index.ts';
import type { Module, OrganizationEnd } from '../platform/modules/module.ts';

/** Every module of the server, in the order in which they are opened and stopped. A line here is all that installs one. */
export const modules = [
  rolesModule,
  accountsModule,
  identityProvidersModule,
  scimModule,
  organizationsModule,
  approvalsModule,
  devicesModule,
  groupsModule,
  firmwareModule,
  configsModule,
  rolloutsModule,
  esimsModule,
  commandsModule,
  routerSettingsModule,
  routerBackupsModule,
  bulkJobsModule,
  positionsModule,
  coverageModule,
  diagnosisModule,
  geofencesModule,
  outagesModule,
  placesModule,
  apiKeysModule,
  propertiesModule,
  inventoryModule,
  linksModule,
  logsModule,
  networksModule,
  notificationsModule,
  mailsModule,
  recordingsModule,
  reportsModule,
  analysisModule,
  searchModule,
  toolsModule,
  usageModule,
  summariesModule,
  viewsModule,
  visitsModule,
  webhooksModule,
  alertsModule,
];

/** What ends with an organization; the last module first, since it may point to rows of those before it. Remote access is no module. */
export const organizationEnds: readonly OrganizationEnd[] = [
  clientRuleEnd,
  ...modules.flatMap(({ organizationEnd = [] }) => organizationEnd).reverse(),
];

/** What these modules need together. */
export type ModuleDeps = typeof modules extends Module<infer Needed>[] ? Needed : never;
