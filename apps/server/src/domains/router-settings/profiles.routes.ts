import { settingProfiles as calls } from '@highline/contract';
import { sendSaved, type Routes } from '../../platform/calls/index.ts';
import { isSet } from '../../platform/calls/query-flag.ts';
import { exportProfile, importProfile } from './profile-import.ts';
import type { RunningReader } from './running-profile.ts';
import { readLevel, type SettingsDeps } from './settings.service.ts';

export interface ProfileRoutesDeps extends SettingsDeps {
  readonly runningReader: RunningReader;
}

/** Registers the calls about profiles: export, import, and what a router runs (TPL-07). */
export function registerProfileRoutes(routes: Routes, deps: ProfileRoutesDeps): void {
  routes.on(calls.exportProfile, async ({ scope, query: { group, device } }) => ({
    result: await exportProfile(deps, scope, { group, device }),
  }));

  routes.on(calls.readRunning, async ({ scope, actor, query }) => ({
    result: await deps.runningReader.read(scope, actor, query.device),
  }));

  routes.on(
    calls.importProfile,
    async ({ scope, actor, body: { group, device, profile }, query: { dryRun }, request, reply }) => {
      const named = { group, device, profile, isDryRun: isSet(dryRun) };
      let result: calls.ProfileReport | undefined;
      return sendSaved(
        { request, reply },
        async (isCurrent) => {
          result = await importProfile(deps, scope, actor, named, isCurrent);
        },
        async () => {
          const { version } = await readLevel(deps, scope, { group, device });
          // Another version was saved meanwhile: the difference is another one.
          result ??= await importProfile(deps, scope, actor, { ...named, isDryRun: true }, () => true);
          return { version, result };
        },
      );
    },
  );
}
