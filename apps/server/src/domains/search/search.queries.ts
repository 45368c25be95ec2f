// Reads tables of other domains: accounts, config_files, device_identifiers, devices, esim_profiles, firmware, groups, organizations, saved_views.
import { MAIN_SERVICE, type search } from '@highline/contract';
import { sql } from 'kysely';
import type { Actor, Scope } from '../../kernel/scope.ts';
import { beginsWith, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { visibleViews } from '../views/index.ts';
import { casesTable, containsText, numberTextOf, searchTextOf, type SearchText } from './search-text.ts';

/** A value in which the text was found. */
export interface FoundRow {
  readonly kind: search.FoundKind;
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly field: search.Found['field'];
  readonly value: string;
  /** Its organization, for a main account. */
  readonly org: string | null;
  readonly org_name: string | null;
}

/** More than are shown, so that the closest can be chosen. */
const MOST = 20;

/** The rows of a scope, on a table under an alias. */
const within = (scope: Scope, alias: string): Fragment =>
  scope.kind === 'organization'
    ? sql`${sql.ref(`${alias}.organization_id`)} = ${scope.organizationId}::uuid`
    : sql`${sql.ref(`${alias}.main_account_id`)} = ${scope.mainAccountId}::uuid`;

/** Devices, by the rows of `matched (id, organization_id, field, value)`. */
const deviceRows = (matched: Fragment): Fragment => sql`select 'device' as kind, d.id::text as id,
    coalesce(nullif(d.vehicle_number, ''), d.serial) as title, case when d.vehicle_number = '' then '' else d.serial end as detail,
    m.field, m.value, d.organization_id as org
  from (${matched}) m join devices d on d.organization_id = m.organization_id and d.id = m.id and d.archived_at is null`;

/** Values of an indexed column of living devices that begin with the text. */
function devicesBeginning(scope: Scope, field: 'serial' | 'vehicle', text: SearchText): Fragment {
  const column = field === 'serial' ? sql`d.serial` : sql`d.vehicle_number`;
  return sql`select f.id, f.organization_id, ${field}::text as field, f.value from ${casesTable(text)} cross join lateral (
    select d.id, d.organization_id, ${column} as value from devices d
    where ${within(scope, 'd')} and d.archived_at is null and ${column} >= v.low and ${column} < v.high
    order by ${column} limit ${MOST}) f`;
}

function devicesContaining(scope: Scope, field: 'serial' | 'vehicle', has: (column: Fragment) => Fragment): Fragment {
  const column = field === 'serial' ? sql`d.serial` : sql`d.vehicle_number`;
  return sql`(select d.id, d.organization_id, ${field}::text as field, ${column} as value from devices d
    where ${within(scope, 'd')} and d.archived_at is null and ${has(column)} limit ${MOST})`;
}

/** ICCID, IMEI, MTN and MAC of devices. */
function identifiersBeginning(scope: Scope, text: SearchText): Fragment {
  return sql`select f.id, f.organization_id, f.field, f.value from ${casesTable(text)} cross join lateral (
    select i.device_id as id, i.organization_id, i.kind as field, i.value from device_identifiers i
    where ${within(scope, 'i')} and i.value >= v.low and i.value < v.high order by i.value limit ${MOST}) f`;
}

function identifiersContaining(scope: Scope, text: SearchText): Fragment {
  return sql`(select i.device_id as id, i.organization_id, i.kind as field, i.value from device_identifiers i
    where ${within(scope, 'i')} and ${containsText(sql`i.value`, text)} limit ${MOST})`;
}

/**
 * Vehicle numbers of a main account that begin with the text: it has no index in their order, and the trigrams of the beginning of a
 * word begin with two blanks, so that even one letter is found by them.
 */
function vehiclesOfMainBeginning(scope: Scope, { text }: SearchText): readonly Fragment[] {
  if (!/^[\p{L}\p{N}]/u.test(text)) return [];
  return [devicesContaining(scope, 'vehicle', (column) => beginsWith(column, text))];
}

const profileRow = sql`select 'sim' as kind, p.id::text as id, case when p.iccid = '' then p.name else p.iccid end as title,
  concat_ws(' · ', nullif(p.carrier, ''), p.serial) as detail`;

function profilesBeginning(scope: Scope, field: 'iccid' | 'name', text: SearchText): Fragment {
  const column = sql.ref(`p.${field}`);
  return sql`select f.* from ${casesTable(text)} cross join lateral (
    ${profileRow}, ${field}::text as field, ${column} as value, p.organization_id as org from esim_profiles p
    where ${within(scope, 'p')} and ${column} >= v.low and ${column} < v.high order by ${column} limit ${MOST}) f`;
}

function profilesContaining(scope: Scope, field: 'iccid' | 'name', text: SearchText): Fragment {
  const column = sql.ref(`p.${field}`);
  return sql`(${profileRow}, ${field}::text as field, ${column} as value, p.organization_id as org from esim_profiles p
    where ${within(scope, 'p')} and ${containsText(column, text)} limit ${MOST})`;
}

/** A main account has no page of a single eSIM profile. */
const hasProfiles = (scope: Scope) => scope.kind === 'organization';

/** Who searches. */
type Person = Pick<Actor, 'role' | 'accountId' | 'limit'>;

/** Tables that are short within a scope: read whole, whatever the length of the text. */
function shortTables(scope: Scope, { role, accountId, limit }: Person, text: SearchText): Fragment[] {
  const firmware = sql`(select 'firmware' as kind, f.id::text as id, f.version as title, f.profile as detail,
      case when ${containsText(sql`f.version`, text)} then 'version' else 'model' end as field,
      case when ${containsText(sql`f.version`, text)} then f.version else f.profile end as value, null::uuid as org
    from firmware f where f.main_account_id = ${scope.mainAccountId}::uuid
      and (${containsText(sql`f.version`, text)} or ${containsText(sql`f.profile`, text)})
    order by f.updated_at desc limit ${MOST})`;
  const views = sql`(select 'view' as kind, v.id::text as id, v.name as title, v.list as detail, 'name' as field, v.name as value, null::uuid as org
    from saved_views v where ${visibleViews(scope, { accountId })} and ${containsText(sql`v.name`, text)} limit ${MOST})`;
  if (scope.kind === 'main')
    return [
      views,
      firmware,
      people(sql`a.main_account_id = ${scope.mainAccountId}::uuid and ${isColleague}`, text),
      organizations(scope, text),
    ];
  const { organizationId } = scope;
  const groups = sql`(select 'group' as kind, g.key as id, g.name as title, g.description as detail, 'name' as field, g.name as value, null::uuid as org
    from groups g where g.organization_id = ${organizationId}::uuid and ${containsText(sql`g.name`, text)} limit ${MOST})`;
  // Config files and people are of the whole organization: who is limited to groups does not open them (IAM-04).
  if (role === 'user' || limit !== undefined) return [views, firmware, groups];
  const configs = sql`(select 'config' as kind, c.id::text as id, c.name as title, c.note as detail, 'name' as field, c.name as value, null::uuid as org
    from config_files c where c.organization_id = ${organizationId}::uuid and ${containsText(sql`c.name`, text)} limit ${MOST})`;
  return [views, firmware, groups, configs, people(sql`a.organization_id = ${organizationId}::uuid`, text)];
}

const isColleague = sql`${`r.${MAIN_SERVICE}.vendor.super`} = any (a.roles)`;

function people(whose: Fragment, text: SearchText): Fragment {
  return sql`(select 'person' as kind, a.id::text as id, coalesce(nullif(a.name, ''), a.email) as title,
      case when a.name = '' then '' else a.email end as detail,
      case when ${containsText(sql`a.name`, text)} then 'name' else 'email' end as field,
      case when ${containsText(sql`a.name`, text)} then a.name else a.email end as value, null::uuid as org
    from accounts a where ${whose} and (${containsText(sql`a.name`, text)} or ${containsText(sql`a.email`, text)}) limit ${MOST})`;
}

function organizations({ mainAccountId }: Scope, text: SearchText): Fragment {
  return sql`(select 'organization' as kind, o.id::text as id, o.name as title, '' as detail, 'name' as field, o.name as value, o.id as org
    from organizations o where o.main_account_id = ${mainAccountId}::uuid and o.deleted_at is null
      and ${containsText(sql`o.name`, text)} limit ${MOST})`;
}

async function read(reader: Reader, scope: Scope, parts: readonly Fragment[]): Promise<FoundRow[]> {
  if (parts.length === 0) return [];
  const name =
    scope.kind === 'main'
      ? sql`(select o.name from organizations o where o.id = found.org and o.main_account_id = ${scope.mainAccountId}::uuid)`
      : sql`null`;
  return reader.rows(sql`select found.*, ${name} as org_name from (${sql.join([...parts], sql` union all `)}) found`);
}

const union = (parts: readonly Fragment[]) => sql.join([...parts], sql` union all `);

/** What begins with the text, and whatever is in a short table. */
export function findBeginnings(reader: Reader, scope: Scope, person: Person, typed: string): Promise<FoundRow[]> {
  const text = searchTextOf(typed);
  const devices = [
    devicesBeginning(scope, 'serial', text),
    ...(scope.kind === 'organization' ? [devicesBeginning(scope, 'vehicle', text)] : vehiclesOfMainBeginning(scope, text)),
    identifiersBeginning(scope, numberTextOf(typed)),
  ];
  const profiles = hasProfiles(scope)
    ? [profilesBeginning(scope, 'iccid', numberTextOf(typed)), profilesBeginning(scope, 'name', text)]
    : [];
  return read(reader, scope, [deviceRows(union(devices)), ...profiles, ...shortTables(scope, person, text)]);
}

/** Devices and eSIM profiles that contain the text anywhere; nothing for a text too short for an index. */
export async function findContaining(
  reader: Reader,
  scope: Scope,
  typed: string,
  kinds: readonly search.FoundKind[],
): Promise<FoundRow[]> {
  const text = searchTextOf(typed);
  const number = numberTextOf(typed);
  const devices = [
    ...(text.isLong
      ? (['serial', 'vehicle'] as const).map((field) => devicesContaining(scope, field, (column) => containsText(column, text)))
      : []),
    ...(number.isLong ? [identifiersContaining(scope, number)] : []),
  ];
  const profiles = [
    ...(number.isLong ? [profilesContaining(scope, 'iccid', number)] : []),
    ...(text.isLong ? [profilesContaining(scope, 'name', text)] : []),
  ];
  return read(reader, scope, [
    ...(kinds.includes('device') && devices.length > 0 ? [deviceRows(union(devices))] : []),
    ...(kinds.includes('sim') && hasProfiles(scope) ? profiles : []),
  ]);
}
