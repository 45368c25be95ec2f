import type { Module } from '../../platform/modules/module.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { registerAccountRoutes } from './accounts.routes.ts';
import { purgeRateWindows } from './rate-limit.ts';
import { createSecondFactorSealing } from './second-factor.ts';
import { purgeSessions } from './sessions.store.ts';
import { signOutMembers } from './members.store.ts';

interface AccountModuleDeps extends Pick<Deps, 'database'> {
  /** Sign-in alone depends on cookies, origins and the demo. */
  readonly signIn: Parameters<typeof registerAccountRoutes>[1];
}

export const accountsModule: Module<AccountModuleDeps> = {
  open(routes, { database, signIn }) {
    registerAccountRoutes(routes, signIn);
    return {
      jobs: [
        { name: 'session retention', everyMs: 600_000, deletes: true, run: (now) => purgeSessions(database, now) },
        { name: 'rate window retention', everyMs: 600_000, deletes: true, run: (now) => purgeRateWindows(database, now) },
      ],
    };
  },
  sealed: [sealedFor('second_factors', 'sealed_secret', { account_id: 'uuid' }, 'account_id', createSecondFactorSealing)],
  // The addresses are then free.
  organizationEnd: { close: signOutMembers, lastTables: ['sign_in_policies', 'accounts'] },
};
