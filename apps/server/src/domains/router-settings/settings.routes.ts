import { routerSettings as calls } from '@highline/contract';
import { sendSaved, tagResponse, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { SettingsReader } from './settings-reader.ts';
import { toRowDto } from './settings.dto.ts';
import { settingsList } from './settings.queries.ts';
import { adoptReported, previewLevel, readLevel, saveLevel, type SettingsDeps } from './settings.service.ts';

export interface SettingsRoutesDeps extends SettingsDeps, Pick<Deps, 'reader' | 'streams'> {
  readonly settingsReader: SettingsReader;
}

/** Registers the calls about settings of routers (TPL-02, TPL-03, TPL-05). */
export function registerSettingsRoutes(routes: Routes, deps: SettingsRoutesDeps): void {
  routes.on(calls.readSettings, async ({ scope, query: { group, device }, reply }) => {
    const result = await readLevel(deps, scope, { group, device });
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(calls.saveSettings, async ({ scope, actor, body: { group, device, values }, request, reply }) =>
    sendSaved(
      { request, reply },
      (isCurrent) => saveLevel(deps, scope, actor, { group, device, values }, isCurrent),
      async () => {
        const result = await readLevel(deps, scope, { group, device });
        return { version: result.version, result };
      },
    ),
  );

  routes.on(calls.previewSettings, async ({ scope, body: { group, device, values } }) => ({
    result: await previewLevel(deps, scope, { group, device, values }),
  }));

  routes.on(calls.readDeviceSettings, async ({ scope, actor, query }) => ({
    result: await deps.settingsReader.read(scope, actor, query.device),
  }));

  routes.on(calls.adoptSettings, async ({ scope, actor, body }) => {
    await adoptReported(deps, scope, actor, body.device);
    return { result: await deps.settingsReader.read(scope, actor, body.device) };
  });

  const list = settingsList(toRowDto);
  routes.on(calls.listSettings, ({ scope, query }) => list.respond(deps, scope, query));
}
