import { sql } from 'kysely';

/**
 * A lost connection `c` of `connectivity` is one of a parked vehicle: before it, or with it, its router reported that the ignition is off
 * (SAY-04). Reports are stored some seconds after they came.
 */
export const isParkedLoss = sql`coalesce((select f.value from router_facts f where f.router_id = c.router_id and f.fact = 'ignition'
  and f.at <= c.at + interval '1 minute' order by f.at desc limit 1) = 'off', false)`;
