// Reads tables of other domains: organizations.
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import { zoneOf } from '../usage/index.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';

const kindsOf = (days: Kind<unknown>['days']) =>
  sql`${Object.entries(kinds).flatMap(([name, kind]) => (kind.days === days ? [name] : []))}::text[]`;

/**
 * When a summary is sent that is due at a time: once its last day is over in the zone of its figures too, in which it may end up to a day later than
 * in that of its readers. Sent before, it would lack hours that no later one has.
 * @param summary alias of a row of summaries
 * @param due null = never
 */
export function sendingTime(summary: string, due: Fragment): Fragment {
  const its = (column: string) => sql.ref(`${summary}.${column}`);
  const unit = sql`case ${its('every')} when 'month' then 'month' else 'day' end`;
  const endIn = (zone: Fragment) => sql`date_trunc(${unit}, ${due} at time zone ${its('zone')}) at time zone ${zone}`;
  return sql`greatest(${due}, case
    when ${its('kind')} = any (${kindsOf('UTC')}) then ${endIn(sql`'UTC'`)}
    when ${its('kind')} <> all (${kindsOf('organization')}) then null
    when ${its('organization_id')} is not null then ${endIn(zoneOf(its('organization_id'), due))}
    else (select max(${endIn(zoneOf(sql`o.id`, due))}) from organizations o
      where o.main_account_id = ${its('main_account_id')} and o.deleted_at is null) end)`;
}
