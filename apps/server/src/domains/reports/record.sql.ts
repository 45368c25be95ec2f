import { sql } from 'kysely';
import { allOf, type Fragment } from '../../platform/listing/index.ts';
import { valuesOfReport } from '../router-state/index.ts';
import { EVENT_NUMBER, ONLINE_NUMBER } from './property.catalogue.ts';
import type { RecordQuestion, ValueCondition } from './record.question.ts';
import type { TimeRange } from './time-range.ts';

// Records come from the tables that routers' reports are written to; each table is one source, a select of (at, router_id,
// property, value, text_value, device_id): `value` for numbers, `transition` for everything else.
//
// The intervals in which a device owned its routers decide which records belong to it: a router that changed owners has no foreign
// records, the records from before a transfer move with the device, as in its timeline (OGL-04), and those of a router that was replaced
// stay with it (BLK-06).

type Alias = 't' | 'c' | 'f';

/** Joins `router_ownership o` and `devices d`: the device that had the router at the time of a row. */
export const ownersOf = (table: Alias): Fragment => {
  const at = sql.ref(`${table}.at`);
  return sql`join router_ownership o on o.router_id = ${sql.ref(`${table}.router_id`)}
      and o.owned_from <= ${at} and coalesce(o.owned_until, 'infinity') > ${at}
    join devices d on d.id = o.device_id`;
};

/** Whether a time is in one of the ranges, at least one of which is given. */
export function withinAny(at: Fragment, ranges: readonly TimeRange[]): Fragment {
  const each = ranges.map(({ from, until }) => sql`(${at} >= ${from}::timestamptz and ${at} < ${until}::timestamptz)`);
  return sql`(${sql.join(each, sql` or `)})`;
}

const within = (table: Alias, range: TimeRange) => withinAny(sql.ref(`${table}.at`), [range]);

/** The sources of a query, within a part of its time range; none at all when nothing can match. */
export function sourcesOf(question: RecordQuestion, range = question.range): Fragment[] {
  return [...reportedValues(question, [range]), ...singleValues(question, range), ...otherSourcesOf(question, range)];
}

/** The sources of records that are not measured values. */
export function otherSourcesOf(question: RecordQuestion, range: TimeRange): Fragment[] {
  return [...online(question, range), ...events(question, range), ...facts(question, range)];
}

/** Values in reports of routers. */
export function reportedValues({ properties, devices, value }: RecordQuestion, ranges: readonly TimeRange[]): Fragment[] {
  const numbers = measuredNumbers(properties);
  const condition = numberIs(sql`v.value`, value);
  if (numbers.length === 0 || ranges.length === 0 || condition === undefined) return [];
  return [
    sql`select t.at, t.router_id, v.parameter as property, v.value, null::text as text_value, d.id as device_id
      from telemetry_reports t ${ownersOf('t')} cross join lateral ${valuesOfReport('t', numbers)}
      where ${allOf([withinAny(sql`t.at`, ranges), sql`v.value is not null`, devices, ...condition])}`,
  ];
}

/** Values that an earlier version stored one by one. */
export function singleValues({ properties, devices, value }: RecordQuestion, range: TimeRange): Fragment[] {
  const numbers = measuredNumbers(properties);
  const condition = numberIs(sql`t.value`, value);
  if (numbers.length === 0 || condition === undefined) return [];
  const parameter =
    numbers.length === 1 ? sql`t.parameter = ${numbers[0]}::smallint` : sql`t.parameter = any (${numbers}::smallint[])`;
  return [
    sql`select t.at, t.router_id, t.parameter::int as property, t.value, null::text as text_value, d.id as device_id
      from telemetry t ${ownersOf('t')} where ${allOf([within('t', range), parameter, devices, ...condition])}`,
  ];
}

const measuredNumbers = (properties: RecordQuestion['properties']) =>
  properties.filter(({ source }) => source === 'telemetry').map(({ number }) => number);

function online(question: RecordQuestion, range: TimeRange): Fragment[] {
  const { devices, value } = question;
  if (!requestsProperty(question, ONLINE_NUMBER)) return [];
  const kinds = ['online', 'offline'].filter((kind) => value.kind !== 'text' || value.text === String(kind === 'online'));
  if (kinds.length === 0) return [];
  return [
    sql`select c.at, c.router_id, ${sql.lit(ONLINE_NUMBER)} as property, null::float8 as value,
        case c.kind when 'online' then 'true' else 'false' end as text_value, d.id as device_id
      from connectivity c ${ownersOf('c')} where ${allOf([within('c', range), sql`c.kind = any (${kinds}::text[])`, devices])}`,
  ];
}

function events(question: RecordQuestion, range: TimeRange): Fragment[] {
  const { devices, value } = question;
  if (!requestsProperty(question, EVENT_NUMBER)) return [];
  const transition = sql`(c.kind || ': ' || c.reason)`;
  const condition = value.kind === 'text' ? [sql`${transition} = ${value.text}`] : [];
  return [
    sql`select c.at, c.router_id, ${sql.lit(EVENT_NUMBER)} as property, null::float8 as value, ${transition} as text_value, d.id as device_id
      from connectivity c ${ownersOf('c')} where ${allOf([within('c', range), devices, ...condition])}`,
  ];
}

function facts({ properties, devices, value }: RecordQuestion, range: TimeRange): Fragment[] {
  const factProperties = properties.filter(({ source }) => source === 'facts');
  if (factProperties.length === 0 || (value.kind !== 'any' && value.kind !== 'text')) return [];
  const condition = value.kind === 'text' ? [sql`f.value = ${value.text}`] : [];
  const ids = factProperties.map(({ id }) => id);
  const number = sql.join(
    factProperties.map(({ id, number }) => sql`when ${sql.lit(id)} then ${sql.lit(number)}`),
    sql` `,
  );
  return [
    sql`select f.at, f.router_id, case f.fact ${number} end as property, null::float8 as value, f.value as text_value, d.id as device_id
      from router_facts f ${ownersOf('f')} where ${allOf([within('f', range), sql`f.fact = any (${ids}::text[])`, devices, ...condition])}`,
  ];
}

/** More and less compare only numbers. */
function requestsProperty({ properties, value }: RecordQuestion, number: number): boolean {
  return properties.some((each) => each.number === number) && (value.kind === 'any' || value.kind === 'text');
}

/** Half of the last decimal that values are rounded to (SHR-09). */
const HALF_OF_LAST = 5e-11;

/** Conditions on a number; undefined when the text is not the canonical form of a number. */
function numberIs(column: Fragment, value: ValueCondition): Fragment[] | undefined {
  switch (value.kind) {
    case 'any':
      return [];
    case 'more':
      return [sql`${column} > ${value.than}::float8`];
    case 'less':
      return [sql`${column} < ${value.than}::float8`];
    case 'text': {
      const number = Number(value.text);
      // Texts are compared: '7.0' and '+7' are not the canonical form of 7.
      if (String(number) !== value.text || !Number.isFinite(number)) return undefined;
      return [sql`abs(${column} - ${number}::float8) < ${HALF_OF_LAST}::float8`];
    }
  }
}
