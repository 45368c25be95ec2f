// Reads tables of other domains: devices, groups, organizations.
import type { reports } from '@highline/contract';
import { sql } from 'kysely';
import type { RecordQuestion } from './record.question.ts';
import {
  allOf,
  contains,
  readShortPage,
  searchable,
  type Fragment,
  type Reader,
  type RowStreams,
} from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { normalizeGroupKey } from '../groups/index.ts';
import { catalogue, toPropertyDto } from './property.catalogue.ts';
import { nameOf, typeOf } from './record.dto.ts';

interface DeviceDataRow {
  readonly id: string;
  readonly serial: string;
  readonly vehicle_number: string;
  readonly model: string | null;
  readonly organization_id: string;
}

/** The filter of a device picker. */
export interface DeviceDataInput {
  readonly group?: string | undefined;
  readonly search?: string | undefined;
  readonly ignoreCase?: 'true' | undefined;
}

const columns = sql`d.id, d.serial, d.vehicle_number, d.model, d.organization_id`;
/** The display name of the device: its vehicle's number, or its serial number. */
const name = sql`coalesce(nullif(d.vehicle_number, ''), d.serial)`;

/** One page of living devices by name, with the properties of each (part 2 section 3, "Device data"). */
export async function pageDeviceData(
  reader: Reader,
  scope: OrganizationScope,
  input: DeviceDataInput,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ result: reports.DeviceData[]; total: number }> {
  const from = devicesFrom(scope, input);
  const list = {
    select: sql`select ${columns} ${from}`,
    count: sql`select count(*)::int as total ${from}`,
    orderBy: sql`${name}, d.id`,
  };
  const { rows, total } = await readShortPage<DeviceDataRow>(reader, list, page);
  return { result: rows.map(toDeviceDataDto), total };
}

/** As `pageDeviceData`, but all of them, streamed. */
export async function* streamDeviceData(
  streams: RowStreams,
  scope: OrganizationScope,
  input: DeviceDataInput,
): AsyncGenerator<reports.DeviceData> {
  const statement = sql`select ${columns} ${devicesFrom(scope, input)} order by ${name}, d.id`;
  for await (const row of streams.open<DeviceDataRow>(statement)) yield toDeviceDataDto(row);
}

function devicesFrom(scope: OrganizationScope, { group = '', search = '', ignoreCase }: DeviceDataInput) {
  const conditions = [sql`d.organization_id = ${scope.organizationId}::uuid`, sql`d.archived_at is null`];
  if (group !== '') conditions.push(sql`d.group_key = ${normalizeGroupKey(searchable(group, 'group'))}`);
  if (search !== '') {
    const text = searchable(search, 'search');
    const has = (column: Fragment) => contains(column, text, { ignoreCase });
    conditions.push(sql`(${has(sql`d.vehicle_number`)} or ${has(sql`d.serial`)})`);
  }
  return sql`from devices d where ${allOf(conditions)}`;
}

const properties = catalogue.map((property) => toPropertyDto(property));

function toDeviceDataDto(row: DeviceDataRow): reports.DeviceData {
  return {
    device_id: row.id,
    device_name: nameOf(row),
    device_type: typeOf(row),
    device_type_name: typeOf(row),
    properties,
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
