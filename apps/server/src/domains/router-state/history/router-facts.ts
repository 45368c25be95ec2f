import { sql, type RawBuilder } from 'kysely';
import { recordedFacts } from '../facts.ts';

/** The most changes per hour, so that a faulty router does not fill the reports. */
const MOST_AN_HOUR = 200;

/**
 * An insert, for the transaction that writes a router's report, of every recorded fact that differs from the stored one.
 * @param changes a relation with the router's id and its report (jsonb); the rows of these routers are locked and not changed yet
 */
export function insertChangedFacts(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into router_facts (router_id, fact, value)
    select n.id, k.fact, left(coalesce(n.reported ->> k.fact, ''), 200)
    from ${changes} n join routers r on r.id = n.id
      join unnest(${recordedFacts.map(({ key }) => key)}::text[]) k (fact)
        on n.reported ? k.fact and coalesce(n.reported ->> k.fact, '') <> coalesce(r.reported ->> k.fact, '')
    where (select count(*) from router_facts f where f.router_id = n.id and f.at > now() - interval '1 hour') < ${MOST_AN_HOUR}`;
}
