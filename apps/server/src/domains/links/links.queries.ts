// Reads tables of other domains: devices, groups.
import { links as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { defineResource } from '../../platform/resources/resource.ts';
import { devicesOf } from '../devices/index.ts';
import { recordAudit } from '../logs/index.ts';

interface Joined {
  readonly shown: string | null;
  readonly end_reason: calls.LinkEnd | null;
}

/** The name of what a link shows, of columns `device_id`, `group_key` and `organization_id` of an alias; null = it is gone. */
const nameOf = (link: string): Fragment => sql`coalesce(
  (select coalesce(nullif(d.vehicle_number, ''), d.serial) from devices d where d.id = ${sql.ref(`${link}.device_id`)}
    and d.organization_id = ${sql.ref(`${link}.organization_id`)} and d.archived_at is null),
  (select g.name from groups g where g.key = ${sql.ref(`${link}.group_key`)} and g.organization_id = ${sql.ref(`${link}.organization_id`)}))`;

/** Links of an organization (RPM-06). */
export const links = defineResource({
  table: 'links',
  name: 'links',
  topic: 'links',
  subject: 'link',
  record: recordAudit,
  response: calls.sharedLink,
  input: calls.createLink.body,
  missing: 'link.not_found',
  limit: {
    most: calls.MOST_LINKS,
    error: 'link.too_many',
    counted: (now) => sql`e.ended_at is null and e.expires_at > ${now}::timestamptz`,
  },
  columns: {
    device: 'device_id',
    group: 'group_key',
    created: 'created_at',
    by: 'created_by_email',
    expires: 'expires_at',
    ended: 'ended_at',
    lastOpened: 'last_opened_at',
  },
  joined: sql`e.end_reason, ${nameOf('e')} as shown`,
  joins: sql``,
  read: (reader, statement) => reader.rows<Joined>(statement, true),
  computed: {
    shows: ({ shown }) => shown ?? '',
    state: ({ end_reason: reason, expires }, now) => reason ?? (new Date(expires) <= now ? 'expired' : 'active'),
  },
});

/** The name of a device or group of a scope; undefined = there is none. */
export async function findNamed(
  reader: Reader,
  scope: Scope,
  { device, group }: { readonly device: string | undefined; readonly group: string | undefined },
): Promise<string | undefined> {
  const rows = await reader.rows<{ name: string }>(
    device === undefined
      ? sql`select g.name from groups g where g.key = ${group ?? ''} and g.organization_id in (
          select o.id from organizations o where o.main_account_id = ${scope.mainAccountId}::uuid
            and (${scope.kind === 'main'} or o.id = ${scope.kind === 'organization' ? scope.organizationId : null}::uuid))`
      : sql`select coalesce(nullif(d.vehicle_number, ''), d.serial) as name from devices d where d.id = ${device}::uuid and ${devicesOf(scope)}`,
  );
  return rows[0]?.name;
}
