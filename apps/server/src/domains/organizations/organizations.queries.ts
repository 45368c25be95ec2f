import { MAIN_SERVICE, organizations } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId } from '../../ids.ts';
import {
  allOf,
  containsPattern,
  fieldOf,
  readShortPage,
  refuseCursor,
  searchable,
  sortOf,
  type Fragment,
  type Reader,
  type RowStreams,
  type ShortList,
} from '../../listing/index.ts';
import type { OrganizationScope, Scope } from '../../scope.ts';
import { subscriptionIs, type SubscriptionDay } from '../subscriptions/index.ts';
import { organizationWire, type OrganizationRow } from './organization.wire.ts';

export type OrganizationQuery = z.output<typeof organizations.listOrganizations.query>;

type Sort = (typeof organizations.organizationSorts)[number];

const columns: Record<Sort, Fragment> = {
  name: sql`o.name collate "C"`,
  contact: sql`contact_email`,
  phone: sql`o.phone collate "C"`,
  address: sql`o.address collate "C"`,
  devices: sql`devices`,
  created: sql`o.created_at`,
};

/** The role string of a main account's people; such an account is no contact of an organization (ORG-01). */
const MAIN_ROLE = `r.${MAIN_SERVICE}.vendor.super`;

/** One page of the organizations a scope covers, each with its contacts and its ratio of expiring devices (ORG-01). */
export async function pageOrganizations(
  reader: Reader,
  scope: Scope,
  query: OrganizationQuery,
  day: SubscriptionDay,
  limit: number,
): Promise<{ rows: readonly OrganizationRow[]; total: number }> {
  refuseCursor(query.cursor);
  return readShortPage<OrganizationRow>(reader, organizationList(scope, query, day), { limit, offset: query.offset ?? 0 });
}

/** One organization of the scope as its page shows it, or undefined. */
export async function readOrganization(
  reader: Reader,
  scope: OrganizationScope,
  day: SubscriptionDay,
): Promise<OrganizationRow | undefined> {
  const { select } = organizationList(scope, { id: scope.organizationId }, day);
  return (await reader.rows<OrganizationRow>(select))[0];
}

/** All of them, streamed. */
export function streamOrganizations(
  streams: RowStreams,
  scope: Scope,
  query: OrganizationQuery,
  day: SubscriptionDay,
): AsyncIterable<organizations.Organization> {
  const { select, orderBy } = organizationList(scope, query, day);
  return presented(streams.open<OrganizationRow>(sql`${select} order by ${orderBy}`));
}

async function* presented(rows: AsyncIterable<OrganizationRow>): AsyncGenerator<organizations.Organization> {
  for await (const row of rows) yield organizationWire(row);
}

/** Devices are counted per organization along an index that holds all that the count needs. */
function organizationList(scope: Scope, query: OrganizationQuery, day: SubscriptionDay): ShortList {
  const where = allOf([...scopeOf(scope), ...idOf(query.id), ...searchOf(query)]);
  const { column, descending } = sortOf(query.sort, organizations.organizationSorts, 'name');
  const counted = sql`lateral (
    select count(*)::int as devices, count(*) filter (where ${subscriptionIs('expiring', day)})::int as expiring,
      count(*) filter (where d.expires_on < ${day.today}::date)::int as ended
    from devices d where d.organization_id = o.id and d.archived_at is null) counts`;
  return {
    select: sql`select o.id, o.name, o.tags, o.phone, o.address, o.description, o.version, o.created_at, o.updated_at,
        counts.devices, counts.expiring, counts.ended, contacts.contacts, contacts.contact_email
      from organizations o cross join ${counted} cross join lateral (
        select coalesce(json_agg(json_build_object('email', a.email, 'roles', a.roles) order by a.email), '[]') as contacts,
          min(a.email) as contact_email
        from accounts a where ${contactOf}) contacts
      where ${where}`,
    count: sql`select count(*)::int as total from organizations o where ${where}`,
    orderBy: sql`${columns[column]} ${descending ? sql`desc` : sql`asc`} nulls last, o.id`,
  };
}

const contactOf = sql`a.organization_id = o.id and a.is_contact and not ${MAIN_ROLE} = any(a.roles)`;

function scopeOf(scope: Scope): Fragment[] {
  const own = [sql`o.main_account_id = ${scope.mainAccountId}::uuid`, sql`o.deleted_at is null`];
  return scope.kind === 'main' ? own : [...own, sql`o.id = ${scope.organizationId}::uuid`];
}

/** One organization by its id; what is no id finds nothing. */
function idOf(id: string | undefined): Fragment[] {
  if (id === undefined || id === '') return [];
  return [isId(id) ? sql`o.id = ${id}::uuid` : sql`false`];
}

function searchOf({ search, field }: OrganizationQuery): Fragment[] {
  if (search === undefined || search === '') return [];
  const pattern = containsPattern(searchable(search, 'search'));
  switch (fieldOf(field, organizations.organizationFields, 'name')) {
    case 'name':
      return [sql`o.name like ${pattern}`];
    case 'phone':
      return [sql`o.phone like ${pattern}`];
    case 'address':
      return [sql`o.address like ${pattern}`];
    case 'email':
      return [sql`exists (select 1 from accounts a where ${contactOf} and a.email like ${pattern})`];
  }
}
