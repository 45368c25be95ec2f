import { buildTenants, type Tenant } from '@highline/testkit/tenants';
import type { Subject } from './subject.ts';

/** Cases per tenant: successful calls delete devices, end sessions and change roles. */
const CASES_OF_TENANT = 400;

/** Tenants of a run: one that no caller may access, and a new one for every few hundred cases. */
export interface Stage {
  readonly foreign: Tenant;
  tenant(): Promise<Tenant>;
  /** Its users were signed out: the next call gets another tenant, if this one had some cases. */
  renew(tenant: Tenant, afterCases?: number): Promise<void>;
}

export async function createStage({ seeding }: Subject): Promise<Stage> {
  const tenants = await buildTenants(seeding);
  let current: Promise<Tenant> = Promise.resolve(tenants.own);
  let used = 0;
  const next = () => {
    used = 0;
    current = tenants.another();
    return current;
  };
  return {
    foreign: tenants.foreign,
    tenant: () => (++used > CASES_OF_TENANT ? next() : current),
    async renew(tenant, afterCases = 40) {
      if ((await current) === tenant && used > afterCases) await next();
    },
  };
}
