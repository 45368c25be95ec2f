import type { z } from 'zod';
import * as domains from '../domains.ts';
import * as contract from '../index.ts';

/**
 * Schemas of the contract under the names that the description gives them, and with it every generated client: a name that is
 * changed here breaks programs. What a call takes in another form than it answers is called `…Input`.
 */
export const schemaNames: Readonly<Record<string, z.ZodType>> = {
  ConnectionChange: contract.connectionChange,
  ConnectionImpact: contract.connectionImpact,
  Deletion: contract.deletion.shape.result,
  Failure: contract.failure,
  LiveEvent: contract.live.liveEvent,
  Presence: contract.presence,
  Rejection: contract.rejection,
  TenantBody: contract.tenantBody,
  ...Object.assign({}, ...Object.values(domains).map((calls) => ('schemaNames' in calls ? calls.schemaNames : {}))),
};
