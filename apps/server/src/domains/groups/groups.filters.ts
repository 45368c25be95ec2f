import { normalizeGroupKey, type groups } from '@highline/contract';
import { sql } from 'kysely';
import { addDays, dayIn, invalidField, parseDay, type Scope, startOfDay } from '../../kernel/index.ts';
import { onlyOf, searchOf, type Fragment } from '../../platform/listing/index.ts';

/** The groups of a scope, on `groups g`. */
export function groupsOf(scope: Scope): Fragment {
  if (scope.kind === 'organization') return sql`g.organization_id = ${scope.organizationId}::uuid`;
  return sql`g.organization_id in (
    select o.id from organizations o where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null)`;
}

/** The query of a list, and of its file. */
export type GroupFilters = groups.GroupQuery & { readonly only?: string | undefined };

/** Keys of groups; the plus signs of the default group's may have been read as spaces. */
function normalizedKeys(only: string | undefined): string | undefined {
  return only?.split(',').map(normalizeGroupKey).join(',');
}

/** The filters of the list (GRP-05), as conditions on `groups g`, and whether they need the bindings joined. */
export interface GroupConditions {
  readonly conditions: readonly Fragment[];
  readonly readsBindings: boolean;
}

/** @throws DomainError `request.invalid` for an unknown field, zone or day, and for days in the future */
export function groupConditions(query: GroupFilters, now: Date): GroupConditions {
  const { schedule, field } = query;
  const search = searchOf(query, fields);
  const conditions = [...createdWithin(query, now), ...search, ...onlyOf(normalizedKeys(query.only), sql`g.key`, 'text')];
  if (schedule !== undefined) conditions.push(sql`coalesce(f.schedule, c.schedule, 'immediate') = ${schedule}`);
  const searchesBindings = search.length > 0 && (field === 'firmware' || field === 'config');
  return { conditions, readsBindings: schedule !== undefined || searchesBindings };
}

const fields = { group: sql`g.name`, description: sql`g.description`, firmware: sql`f.label`, config: sql`c.label` };

/** Both days included, by the calendar of the zone. */
function createdWithin({ from, until, zone = 'UTC' }: groups.GroupQuery, now: Date): Fragment[] {
  const today = dayIn(zone, now);
  const first = dayOf(from, 'from', today);
  const last = dayOf(until, 'until', today);
  if (first !== undefined && last !== undefined && last < first) throw invalidField('until', 'must not be before the first day');
  return [
    ...(first === undefined ? [] : [sql`g.created_at >= ${startOfDay(zone, first)}::timestamptz`]),
    ...(last === undefined ? [] : [sql`g.created_at < ${startOfDay(zone, addDays(last, 1))}::timestamptz`]),
  ];
}

function dayOf(text: string | undefined, field: string, today: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  const day = parseDay(text);
  if (day === undefined) throw invalidField(field, 'must be a date as MM/DD/YYYY');
  if (day > today) throw invalidField(field, 'must not be later than today');
  return day;
}
