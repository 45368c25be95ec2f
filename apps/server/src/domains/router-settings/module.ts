import type { Engine } from '../../platform/engine/engine.ts';
import type { Module } from '../../platform/modules/module.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import { purgeVersions } from './desired.job.queries.ts';
import { createSettingSealing } from './setting-sealing.ts';
import { registerProfileRoutes, type ProfileRoutesDeps } from './profiles.routes.ts';
import { registerSettingsRoutes, type SettingsRoutesDeps } from './settings.routes.ts';

interface RouterSettingsModuleDeps extends SettingsRoutesDeps, ProfileRoutesDeps {
  readonly settingsEngine: Pick<Engine<unknown>, 'job' | 'stop'>;
}

export const routerSettingsModule: Module<RouterSettingsModuleDeps> = {
  open(routes, deps) {
    registerSettingsRoutes(routes, deps);
    registerProfileRoutes(routes, deps);
    const { settingsEngine: engine, database } = deps;
    const retention = {
      name: 'settings of routers: retention',
      everyMs: 3_600_000,
      run: (now: Date) => database.write((tx) => purgeVersions(tx, now)),
    };
    return { jobs: [engine.job, retention], stop: () => engine.stop() };
  },
  sealed: [sealedFor('router_settings', 'sealed', { id: 'uuid' }, 'id', createSettingSealing)],
  organizationEnd: { lastTables: ['router_settings', 'router_setting_schemas', 'router_settings_states'] },
};
