import type { MasterKey } from '../../kernel/index.ts';
import type { Module } from '../../platform/modules/module.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { describePlaces } from '../places/index.ts';
import { createSecretSealing } from '../webhooks/index.ts';
import type { DescribePlaces } from './alert-messages.job.ts';
import { alertJobs } from './alerts.job.ts';
import { registerAlertRoutes, type AlertRoutesDeps } from './alerts.routes.ts';
import type { RuleActions } from './alert-actions.job.ts';

interface AlertModuleDeps
  extends Omit<AlertRoutesDeps, 'webhookSealing'>, Omit<Parameters<typeof alertJobs>[0], 'storm' | 'actions' | 'describe'> {
  readonly settings: Pick<Settings, 'alertStorm'>;
  readonly masterKey: MasterKey;
  /** What plans do at the allowance is what rules do. */
  readonly planActions: RuleActions;
}

export const alertsModule: Module<AlertModuleDeps> = {
  open(routes, deps) {
    registerAlertRoutes(routes, { ...deps, webhookSealing: createSecretSealing(deps.masterKey) });
    const describe: DescribePlaces = (scope, places) => describePlaces(deps, scope, places);
    return { jobs: alertJobs({ ...deps, describe, actions: deps.planActions, storm: deps.settings.alertStorm }) };
  },
  organizationEnd: {
    tables: [
      'alert_notices',
      'alert_bursts',
      'alert_states',
      'alert_actions',
      'alert_tests',
      'alert_people',
      'alerts',
      'alert_rules',
      'alert_rule_versions',
    ],
  },
};
