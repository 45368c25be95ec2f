import { DomainError, isId, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { lockRoutersInOrder } from '../inventory/index.ts';
import type { CodeSeal } from './code.seal.ts';
import { findRouterOfProfiles, type FoundRouter } from './profile-routers.store.ts';
import { profilesOfRouters, routerOfProfile, type LockedProfile } from './esims.store.ts';

export interface EsimServiceDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Encrypts activation codes under the installation's master key. */
  readonly codes: CodeSeal;
}

/** A page saves its cards one after another: the order is sent to the router after this quiet time. */
export const STABLE_AFTER_MS = 2_000;

/** Options of an action that changes connections. */
export interface Confirmation {
  /** Check only, write nothing. */
  readonly dryRun: boolean;
  /** The `confirmation` of the impact that the user has seen; undefined = no preview was requested. */
  readonly confirmed: string | undefined;
}

/** For API clients that request no preview. */
export const taken: Confirmation = { dryRun: false, confirmed: undefined };

export interface Locked {
  readonly router: FoundRouter;
  readonly row: LockedProfile;
  /** The others of its router. */
  readonly others: readonly LockedProfile[];
}

/** Lock the router of a profile and read its profiles. @throws DomainError `esim.not_found`, also for an invalid id */
export async function lockProfile(tx: Tx, scope: OrganizationScope, pk: string): Promise<Locked> {
  const routerId = isId(pk) ? await routerOfProfile(tx, scope, pk) : undefined;
  if (routerId !== undefined) {
    await lockRoutersInOrder(tx, scope, [routerId]);
    const rows = await profilesOfRouters(tx, scope, [routerId]);
    const row = rows.find(({ id }) => id === pk.toLowerCase());
    const router = row && (await findRouterOfProfiles(tx, scope, row.device_id));
    if (row !== undefined && router !== undefined) {
      return { router, row, others: rows.filter((other) => other !== row) };
    }
  }
  throw new DomainError('esim.not_found', { field: 'profile' });
}
