// Reads tables of other domains: device_counts.
import { type groups, type OfflineReason, subscriptionLabels, subscriptionState } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { defineList, nameSortKey, searchOf, sorted, type Fragment, type SortKey } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { offlineExpected } from '../router-state/index.ts';

type MemberQuery = z.output<typeof groups.listMembers.query>;

interface MemberRow extends Row<'devices', 'id' | 'serial' | 'vehicle_number' | 'model' | 'presence' | 'presence_since'> {
  readonly offline_expected: OfflineReason | null;
  readonly started_on: string | null;
  readonly expires_on: string | null;
}

/** Decides whether a subscription has begun and not ended. */
interface MemberContext {
  readonly now: Date;
  readonly expiringDays: number;
}

const table = sql`devices d`;
const fields = { serial: sql`d.serial`, vehicle: sql`d.vehicle_number` };

const serial: SortKey = { column: sql`d.serial`, kind: 'text' };
const id: SortKey = { column: sql`d.id`, kind: 'uuid' };
const sorts = { serial: [serial, id], vehicle: [nameSortKey(sql.ref('d.vehicle_number')), serial, id] } as const;

/** The devices of a group of the organization, for the move dialog (GRP-09). */
export const memberList = (key: string, context: MemberContext) =>
  defineList({
    of(scope: OrganizationScope, query: MemberQuery) {
      const { value: keys, descending } = sorted(query.sort ?? 'serial', sorts);
      return {
        name: 'members',
        dependsOn: key,
        table,
        alias: 'd',
        identity: ['organization_id', 'id'],
        scope: sql`d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null`,
        filters: [sql`d.group_key = ${key}`, ...searchOf(query, fields)],
        columns: sql`d.id, d.serial, d.vehicle_number, d.model, d.presence, d.presence_since, ${offlineExpected} as offline_expected,
          d.started_on::text as started_on, d.expires_on::text as expires_on`,
        segments: [{ from: table, keys, descending }],
        ...(query.search === undefined || query.search === '' ? { estimatable: true, count: countOf(scope, key) } : {}),
      };
    },
    toDto: (row: MemberRow) => toMemberDto(row, context),
  });

function countOf({ organizationId }: OrganizationScope, key: string): Fragment {
  return sql`select coalesce(sum(c.devices), 0)::int as total from device_counts c
    where c.organization_id = ${organizationId}::uuid and c.group_key = ${key}`;
}

function toMemberDto(row: MemberRow, { now, expiringDays }: MemberContext): groups.Member {
  const state = subscriptionState(row.started_on, row.expires_on, now, expiringDays);
  return {
    device: row.id,
    serial_number: row.serial,
    vehicle_number: row.vehicle_number,
    model: row.model,
    presence: row.presence,
    presence_since: row.presence_since && Math.floor(row.presence_since.getTime() / 1_000),
    offline_expected: row.offline_expected,
    subscription_status: subscriptionLabels[state],
    movable: state !== 'not-subscribed',
  };
}
