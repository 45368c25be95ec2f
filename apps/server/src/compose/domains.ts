import { registerAlertRoutes } from '../domains/alerts/index.ts';
import { registerAnalysisRoutes } from '../domains/analysis/index.ts';
import { registerKeyRoutes } from '../domains/api-keys/index.ts';
import { registerBulkJobRoutes } from '../domains/bulk-jobs/index.ts';
import { registerCommandRoutes } from '../domains/commands/index.ts';
import { registerConfigRoutes } from '../domains/configs/index.ts';
import { registerCoverageRoutes } from '../domains/coverage/index.ts';
import { registerDeviceRoutes, registerFleetMetricsRoutes, type DeviceRoutesDeps } from '../domains/devices/index.ts';
import { registerEsimRoutes } from '../domains/esims/index.ts';
import { registerFirmwareRoutes } from '../domains/firmware/index.ts';
import { moveStates, registerGeofenceRoutes } from '../domains/geofences/index.ts';
import { registerGroupRoutes } from '../domains/groups/index.ts';
import { registerInventoryRoutes } from '../domains/inventory/index.ts';
import { registerLogRoutes } from '../domains/logs/index.ts';
import { registerMailRoutes } from '../domains/mails/index.ts';
import { registerNotificationRoutes } from '../domains/notifications/index.ts';
import { registerOrganizationRoutes } from '../domains/organizations/index.ts';
import { registerPositionRoutes } from '../domains/positions/index.ts';
import { registerPropertyRoutes } from '../domains/properties/index.ts';
import { registerReportRoutes } from '../domains/reports/index.ts';
import { registerRolloutRoutes } from '../domains/rollouts/index.ts';
import { registerSearchRoutes } from '../domains/search/index.ts';
import { registerUsageRoutes } from '../domains/usage/index.ts';
import { registerViewRoutes } from '../domains/views/index.ts';
import { registerWebhookRoutes } from '../domains/webhooks/index.ts';
import type { Routes } from '../platform/calls/call.ts';

function registerDevices(routes: Routes, deps: Omit<DeviceRoutesDeps, 'routerReplaced'>): void {
  registerDeviceRoutes(routes, { ...deps, routerReplaced: moveStates });
}

const domains = [
  registerOrganizationRoutes,
  registerDevices,
  registerFleetMetricsRoutes,
  registerGroupRoutes,
  registerFirmwareRoutes,
  registerConfigRoutes,
  registerRolloutRoutes,
  registerEsimRoutes,
  registerCommandRoutes,
  registerBulkJobRoutes,
  registerPositionRoutes,
  registerCoverageRoutes,
  registerGeofenceRoutes,
  registerKeyRoutes,
  registerPropertyRoutes,
  registerInventoryRoutes,
  registerLogRoutes,
  registerNotificationRoutes,
  registerMailRoutes,
  registerReportRoutes,
  registerAnalysisRoutes,
  registerSearchRoutes,
  registerUsageRoutes,
  registerViewRoutes,
  registerWebhookRoutes,
  registerAlertRoutes,
];

/** What the calls of these domains need together. */
export type DomainDeps = typeof domains extends ((routes: Routes, deps: infer Needed) => void)[] ? Needed : never;

/** Register the calls of the domains, except for sign-in and remote access, which need sockets and cookies. */
export function registerDomains(routes: Routes, deps: DomainDeps): void {
  for (const register of domains) register(routes, deps);
}
