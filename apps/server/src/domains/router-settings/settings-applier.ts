import { applyToRouter, type RouterCheckDeps, type SettingsFault } from './router-check.ts';

type SettingsApplier = (routerId: string, key: string) => Promise<SettingsFault | undefined>;

/**
 * Change what differs from the settings of its device on a router, as `applyToRouter`. A command and a rollout may both do so: one after the
 * other. A repetition of the same does not wait: it finds what is done already.
 */
export function createSettingsApplier(deps: RouterCheckDeps): SettingsApplier {
  const last = new Map<string, { readonly key: string; readonly ended: Promise<unknown> }>();
  return async (routerId, key) => {
    const before = last.get(routerId);
    const turn = before === undefined || before.key === key ? Promise.resolve() : before.ended;
    const own = turn.then(() => applyToRouter(deps, routerId, key));
    const entry = { key, ended: own.catch(() => undefined) };
    last.set(routerId, entry);
    try {
      return await own;
    } finally {
      if (last.get(routerId) === entry) last.delete(routerId);
    }
  };
}
