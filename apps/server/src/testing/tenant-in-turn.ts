import { ServerFault } from './matrix-call.ts';
import type { Tenant, Tenants } from './tenants.ts';

/**
 * Runs tests of calls one after another in a shared tenant, for building one costs more than most calls. Where the calls before left
 * too little of it, `work` is repeated in a fresh tenant, which the next calls then share; so no result depends on the order.
 */
export function createTenantInTurn({ another }: Tenants): (work: (tenant: Tenant) => Promise<void>) => Promise<void> {
  let current: Tenant | undefined;
  return async (work) => {
    if (current !== undefined)
      try {
        return await work(current);
      } catch (error) {
        // Whatever was done before, no call fails by a fault of the server.
        if (error instanceof ServerFault) throw error;
      }
    current = await another();
    await work(current);
  };
}
