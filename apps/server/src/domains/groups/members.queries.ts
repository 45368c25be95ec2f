// Reads tables of other domains: devices.
import { type groups, subscriptionLabels, subscriptionState } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import {
  allOf,
  contains,
  fieldOf,
  fingerprint,
  readCountedPage,
  searchable,
  sortOf,
  type Fragment,
  type List,
  type Reader,
  type RowStreams,
  type SortKey,
} from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

export type MemberQuery = z.output<typeof groups.listMembers.query>;

interface MemberRow {
  readonly id: string;
  readonly serial: string;
  readonly vehicle_number: string;
  readonly model: string | null;
  readonly presence: groups.Member['presence'];
  readonly started_on: string | null;
  readonly expires_on: string | null;
}

/** Decides whether a subscription has begun and not ended. */
export interface MemberContext {
  readonly now: Date;
  readonly expiringDays: number;
}

export interface MemberPage {
  readonly result: groups.Member[];
  readonly total: number;
  readonly next: string | null;
  readonly previous: string | null;
}

const table = sql`devices d`;
const FIELDS = ['serial', 'vehicle'] as const;
type Field = (typeof FIELDS)[number];

const searched: Record<Field, Fragment> = { serial: sql`d.serial`, vehicle: sql`d.vehicle_number` };

const serial: SortKey = { column: sql`d.serial`, kind: 'text' };
const id: SortKey = { column: sql`d.id`, kind: 'uuid' };
const keys: Record<Field, readonly SortKey[]> = {
  serial: [serial, id],
  vehicle: [{ column: sql`d.vehicle_number`, kind: 'text' }, serial, id],
};

/**
 * One page of the devices of a group, for the move dialog (GRP-09).
 * @param key of a group of the organization
 * @throws DomainError `request.invalid` for a cursor of another list, or an unknown sort or field
 */
export async function pageMembers(
  reader: Reader,
  scope: OrganizationScope,
  key: string,
  query: MemberQuery,
  limit: number,
  context: MemberContext,
): Promise<MemberPage> {
  const list = memberList(scope, key, query);
  const count = countMembers(reader, list);
  const { offset, cursor } = query;
  const paging = { limit, ...(offset === undefined ? {} : { offset }), ...(cursor === undefined ? {} : { cursor }) };
  const [{ rows, next, previous }, total] = await Promise.all([readCountedPage<MemberRow>(reader, list, paging, count), count]);
  return { result: rows.map((row) => toMemberDto(row, context)), total, next, previous };
}

/** As `pageMembers`, but all devices, streamed. @throws DomainError as `pageMembers` */
export async function* streamMembers(
  streams: RowStreams,
  scope: OrganizationScope,
  key: string,
  query: MemberQuery,
  context: MemberContext,
): AsyncGenerator<groups.Member> {
  const { columns, scope: mine, filters, segments } = memberList(scope, key, query);
  const { keys: sorts, descending } = segments[0]!;
  const order = sorts.map(({ column }) => sql`${column} ${descending ? sql`desc` : sql`asc`}`);
  const statement = sql`select ${columns} from devices d where ${allOf([mine, ...filters])} order by ${sql.join(order)}`;
  for await (const row of streams.open<MemberRow>(statement)) yield toMemberDto(row, context);
}

function memberList(scope: OrganizationScope, key: string, { search, field, ignoreCase, sort }: MemberQuery): List {
  const { column, descending } = sortOf(sort, FIELDS, 'serial');
  const text = search === undefined || search === '' ? undefined : searchable(search, 'search');
  const where = searched[fieldOf(field, FIELDS, 'serial')];
  return {
    fingerprint: fingerprint(['members', scope.organizationId, key, search, field, ignoreCase, column, descending]),
    table,
    alias: 'd',
    identity: ['organization_id', 'id'],
    scope: sql`d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null`,
    filters: [sql`d.group_key = ${key}`, ...(text === undefined ? [] : [contains(where, text, { ignoreCase })])],
    columns: sql`d.id, d.serial, d.vehicle_number, d.model, d.presence, d.started_on::text as started_on,
      d.expires_on::text as expires_on`,
    segments: [{ from: table, keys: keys[column], descending }],
    prepared: false,
  };
}

async function countMembers(reader: Reader, list: List): Promise<number> {
  const [row] = await reader.rows<{ total: number }>(
    sql`select count(*)::int as total from devices d where ${allOf([list.scope, ...list.filters])}`,
  );
  return row!.total;
}

function toMemberDto(row: MemberRow, { now, expiringDays }: MemberContext): groups.Member {
  const state = subscriptionState(row.started_on, row.expires_on, now, expiringDays);
  return {
    device: row.id,
    serial_number: row.serial,
    vehicle_number: row.vehicle_number,
    model: row.model,
    presence: row.presence,
    subscription_status: subscriptionLabels[state],
    movable: state !== 'not-subscribed',
  };
}
