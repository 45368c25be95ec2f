import { applyToRouter, type RouterCheckDeps, type SettingsFault } from './router-check.ts';

type SettingsApplier = (routerId: string, key: string) => Promise<SettingsFault | undefined>;

/**
 * Change what differs from the settings of its device on a router, as `applyToRouter`. A command and a rollout may both do so: one after the
 * other. A repetition of one that still runs has its result: two at a time would add an entry twice.
 */
export function createSettingsApplier(deps: RouterCheckDeps): SettingsApplier {
  const last = new Map<string, { readonly key: string; readonly result: Promise<SettingsFault | undefined> }>();
  return async (routerId, key) => {
    const before = last.get(routerId);
    if (before?.key === key) return before.result;
    const turn = before === undefined ? Promise.resolve() : before.result.catch(() => undefined);
    const entry = { key, result: turn.then(() => applyToRouter(deps, routerId, key)) };
    last.set(routerId, entry);
    try {
      return await entry.result;
    } finally {
      if (last.get(routerId) === entry) last.delete(routerId);
    }
  };
}
