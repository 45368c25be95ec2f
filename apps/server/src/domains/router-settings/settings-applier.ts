import { applyToRouter, type RouterCheckDeps, type SettingsFault } from './router-check.ts';

type SettingsApplier = (routerId: string, key: string) => Promise<SettingsFault | undefined>;

/**
 * Change what differs from the settings of its device on a router, as `applyToRouter`. A command and a rollout may both do so: one after the
 * other.
 */
export function createSettingsApplier(deps: RouterCheckDeps): SettingsApplier {
  const last = new Map<string, Promise<unknown>>();
  return async (routerId, key) => {
    const before = last.get(routerId);
    const own = (before ?? Promise.resolve()).then(() => applyToRouter(deps, routerId, key));
    const ended = own.catch(() => undefined);
    last.set(routerId, ended);
    try {
      return await own;
    } finally {
      if (last.get(routerId) === ended) last.delete(routerId);
    }
  };
}
