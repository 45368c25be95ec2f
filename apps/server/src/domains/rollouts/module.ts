import { createSampled, type Figure } from '../../platform/metrics/index.ts';
import type { Module } from '../../platform/modules/module.ts';
import { purgeEndedBindings } from './bindings.purge.ts';
import { readRolloutFigures, type RolloutFigures } from './rollout-figures.ts';
import { registerRolloutRoutes, type RolloutRoutesDeps } from './rollouts.routes.ts';
import { endAllBindings } from './membership.ts';

export const rolloutsModule: Module<RolloutRoutesDeps> = {
  open(routes, deps) {
    registerRolloutRoutes(routes, deps);
    const { database, clock } = deps;
    return {
      jobs: [{ name: 'ended bindings', everyMs: 3_600_000, run: (now) => purgeEndedBindings(database, now) }],
      metrics() {
        const counted = createSampled('rollouts by state', clock, () => readRolloutFigures(database, clock.now()));
        return { figures: figuresOf(counted.read), jobs: [counted.job] };
      },
    };
  },
  organizationEnd: { close: endAllBindings, lastTables: ['bindings'] },
};

/** Rollouts in force of the whole installation. */
function figuresOf(read: () => number | RolloutFigures): Figure[] {
  const each = (key: keyof RolloutFigures) => () => {
    const figures = read();
    return typeof figures === 'number' ? figures : figures[key];
  };
  const counted = 'of the whole installation. Counted every 15 seconds; NaN while the database does not answer.';
  return [
    { name: 'rollouts', help: `Rollouts in force by state, ${counted}`, label: 'state', read: each('rollouts') },
    {
      name: 'rollout_age_seconds',
      help: `Age of the oldest rollout in force by state, 0 without one, ${counted}`,
      label: 'state',
      read: each('ages'),
    },
    { name: 'rollout_targets', help: `Routers of rollouts in force by state, ${counted}`, label: 'state', read: each('targets') },
    {
      name: 'rollout_target_reasons',
      help: `Routers of rollouts in force by the reason why they wait or failed; other = a message of the router, ${counted}`,
      label: 'reason',
      read: each('reasons'),
    },
    {
      name: 'rollout_downloads',
      help: `Routers that have a place among the downloads by size of the file, ${counted}`,
      label: 'size',
      read: each('downloads'),
    },
  ];
}
