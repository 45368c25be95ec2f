// Reads tables of other domains: outages.
import { sql } from 'kysely';
import type { Fragment } from '../../../platform/listing/index.ts';

/** A rollout worked on the device of an ownership at its loss `c` of `connectivity`, as its outage says (SAY-04). @param of the alias of the ownership */
export const isPlannedLoss = (of: 'o' | 'w'): Fragment => sql`exists (select from outages x
  where x.organization_id = ${sql.ref(`${of}.organization_id`)} and x.device_id = ${sql.ref(`${of}.device_id`)} and x.began_at = c.at and x.kind = 'planned')`;
