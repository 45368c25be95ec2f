import { accountFixtures } from './matrix-fixtures/accounts.ts';
import { alertFixtures } from './matrix-fixtures/alerts.ts';
import { keyFixtures } from './matrix-fixtures/api-keys.ts';
import { analysisFixtures } from './matrix-fixtures/analysis.ts';
import { colleagueFixtures } from './matrix-fixtures/colleagues.ts';
import { bulkJobFixtures } from './matrix-fixtures/bulk-jobs.ts';
import { commandFixtures } from './matrix-fixtures/commands.ts';
import { configFixtures } from './matrix-fixtures/configs.ts';
import { summaryFixtures } from './matrix-fixtures/summaries.ts';
import { outagesFixtures } from './matrix-fixtures/outages.ts';
import { coverageFixtures } from './matrix-fixtures/coverage.ts';
import { deviceFixtures } from './matrix-fixtures/devices.ts';
import { esimFixtures } from './matrix-fixtures/esims.ts';
import { fleetMetricsFixtures } from './matrix-fixtures/fleet-metrics.ts';
import { firmwareFixtures } from './matrix-fixtures/firmware.ts';
import { geofenceFixtures } from './matrix-fixtures/geofences.ts';
import { groupFixtures } from './matrix-fixtures/groups.ts';
import { identityProviderFixtures } from './matrix-fixtures/identity-providers.ts';
import { inventoryFixtures } from './matrix-fixtures/inventory.ts';
import { liveFixtures } from './matrix-fixtures/live.ts';
import { linkFixtures } from './matrix-fixtures/links.ts';
import { logFixtures } from './matrix-fixtures/logs.ts';
import { networkFixtures } from './matrix-fixtures/networks.ts';
import { notificationFixtures } from './matrix-fixtures/notifications.ts';
import { organizationFixtures } from './matrix-fixtures/organizations.ts';
import { positionFixtures } from './matrix-fixtures/positions.ts';
import { propertyFixtures } from './matrix-fixtures/properties.ts';
import { recordingFixtures } from './matrix-fixtures/recordings.ts';
import { remoteAccessFixtures } from './matrix-fixtures/remote-access.ts';
import { reportFixtures } from './matrix-fixtures/reports.ts';
import { routerSettingsFixtures } from './matrix-fixtures/router-settings.ts';
import { rolloutFixtures } from './matrix-fixtures/rollouts.ts';
import { scimFixtures } from './matrix-fixtures/scim.ts';
import { placeFixtures } from './matrix-fixtures/places.ts';
import { searchFixtures } from './matrix-fixtures/search.ts';
import { toolFixtures } from './matrix-fixtures/tools.ts';
import { usageFixtures } from './matrix-fixtures/usage.ts';
import { viewFixtures } from './matrix-fixtures/views.ts';
import { webhookFixtures } from './matrix-fixtures/webhooks.ts';
import type { Fixtures } from './matrix-fixtures/fixture.ts';

/** A request for every operation of the contract, by id. */
export const fixtures: Fixtures = {
  ...accountFixtures,
  ...colleagueFixtures,
  ...organizationFixtures,
  ...deviceFixtures,
  ...groupFixtures,
  ...firmwareFixtures,
  ...fleetMetricsFixtures,
  ...configFixtures,
  ...rolloutFixtures,
  ...identityProviderFixtures,
  ...scimFixtures,
  ...inventoryFixtures,
  ...linkFixtures,
  ...logFixtures,
  ...networkFixtures,
  ...notificationFixtures,
  ...esimFixtures,
  ...commandFixtures,
  ...routerSettingsFixtures,
  ...bulkJobFixtures,
  ...positionFixtures,
  ...coverageFixtures,
  ...outagesFixtures,
  ...recordingFixtures,
  ...summaryFixtures,
  ...geofenceFixtures,
  ...keyFixtures,
  ...propertyFixtures,
  ...remoteAccessFixtures,
  ...reportFixtures,
  ...analysisFixtures,
  ...placeFixtures,
  ...searchFixtures,
  ...toolFixtures,
  ...usageFixtures,
  ...viewFixtures,
  ...webhookFixtures,
  ...liveFixtures,
  ...alertFixtures,
};
