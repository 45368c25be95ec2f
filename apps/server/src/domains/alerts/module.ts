import type { Module } from '../../platform/modules/module.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { alertJobs } from './alerts.job.ts';
import { registerAlertRoutes, type AlertRoutesDeps } from './alerts.routes.ts';

interface AlertModuleDeps extends AlertRoutesDeps, Omit<Parameters<typeof alertJobs>[0], 'storm'> {
  readonly settings: Pick<Settings, 'alertStorm'>;
}

export const alertsModule: Module<AlertModuleDeps> = {
  open(routes, deps) {
    registerAlertRoutes(routes, deps);
    return { jobs: alertJobs({ ...deps, storm: deps.settings.alertStorm }) };
  },
};
