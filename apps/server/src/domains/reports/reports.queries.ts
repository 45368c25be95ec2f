// Reads tables of other domains: devices, groups, organizations.
import { type reports, normalizeGroupKey } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { RecordQuestion } from './record.question.ts';
import { allOf, contains, defineList, natural, searchable, type Fragment, type Reader } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { propertyDtos } from './property.catalogue.ts';
import { nameOf, typeOf } from './record.dto.ts';
import type { Row } from '../../platform/ports/tables.ts';

type DeviceDataRow = Row<'devices', 'id' | 'serial' | 'vehicle_number' | 'model' | 'organization_id'>;

type DeviceDataQuery = z.output<typeof reports.listDeviceData.query>;

const columns = sql`d.id, d.serial, d.vehicle_number, d.model, d.organization_id`;
/** The display name of the device: its vehicle's number, or its serial number. */
const name = sql`coalesce(nullif(d.vehicle_number, ''), d.serial)`;

/** Living devices by name, with the properties of each (part 2 section 3, "Device data"). */
export const deviceDataList = defineList({
  of(scope: OrganizationScope, query: DeviceDataQuery) {
    const from = devicesFrom(scope, query);
    return {
      rows: (part: Fragment) => sql`select ${columns} ${from} order by ${natural(name)}, d.id ${part}`,
      count: sql`select count(*)::int as total ${from}`,
    };
  },
  toDto: toDeviceDataDto,
});

function devicesFrom(scope: OrganizationScope, { group = '', search = '', ignoreCase }: DeviceDataQuery) {
  const conditions = [sql`d.organization_id = ${scope.organizationId}::uuid`, sql`d.archived_at is null`];
  if (group !== '') conditions.push(sql`d.group_key = ${normalizeGroupKey(searchable(group, 'group'))}`);
  if (search !== '') {
    const text = searchable(search, 'search');
    const has = (column: Fragment) => contains(column, text, { ignoreCase });
    conditions.push(sql`(${has(sql`d.vehicle_number`)} or ${has(sql`d.serial`)})`);
  }
  return sql`from devices d where ${allOf(conditions)}`;
}

function toDeviceDataDto(row: DeviceDataRow): reports.DeviceData {
  return {
    device_id: row.id,
    device_name: nameOf(row),
    device_type: typeOf(row),
    device_type_name: typeOf(row),
    properties: propertyDtos,
    projectId: row.organization_id,
  };
}

/** Tags of an organization and of the groups of a query, which choose its windows (RPT-03). */
export async function readTags(
  reader: Reader,
  scope: OrganizationScope,
  { groups }: Pick<RecordQuestion, 'groups'>,
): Promise<string[]> {
  const rows = await reader.rows<{ tag: string }>(
    sql`select unnest(o.tags) as tag from organizations o
        where o.id = ${scope.organizationId}::uuid and o.main_account_id = ${scope.mainAccountId}::uuid
      union select unnest(g.tags) from groups g where ${groups}`,
  );
  return rows.map(({ tag }) => tag);
}
