// Reads tables of other domains: audit_entries, devices.
import { RECORDING_DAYS, type recordings } from '@highline/contract';
import { sql } from 'kysely';
import { epochSeconds, isId, type OrganizationScope } from '../../kernel/index.ts';
import { defineList, searchOf, type Fragment, type SortKey } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A recording as lists show it. */
export interface RecordingRow extends Row<
  'recordings',
  'id' | 'device_id' | 'serial' | 'account_email' | 'began_at' | 'ended_at' | 'end_reason'
> {
  readonly client: recordings.RecordedClient | null;
  readonly bytes: number;
  readonly name: string;
}

const keys: readonly SortKey[] = [
  { column: sql.ref('x.began_at'), kind: 'instant' },
  { column: sql.ref('x.id'), kind: 'uuid' },
];
const table = sql`recordings x`;
/** Null when the device has been deleted for good. */
const nameOfDevice = sql`coalesce((select nullif(d.vehicle_number, '') from devices d
  where d.organization_id = x.organization_id and d.id = x.device_id), x.serial)`;

function chosen({ device, recording }: recordings.RecordingQuery): Fragment[] {
  const isOne = (column: Fragment, id: string | undefined): Fragment[] => {
    if (id === undefined || id === '') return [];
    return [isId(id) ? sql`${column} = ${id}::uuid` : sql`false`];
  };
  return [...isOne(sql`x.device_id`, device), ...isOne(sql`x.id`, recording)];
}

/** Recorded terminals of an organization, the newest first. */
export const recordingList = defineList({
  of: ({ organizationId }: OrganizationScope, query: recordings.RecordingQuery) => ({
    name: 'recordings',
    table,
    alias: 'x',
    identity: ['organization_id', 'id'],
    ownKey: 'id',
    scope: sql`x.organization_id = ${organizationId}::uuid`,
    filters: [
      ...chosen(query),
      ...searchOf(query, { person: sql`x.account_email`, vehicle: nameOfDevice, serial: sql`x.serial` }),
    ],
    estimatable: false,
    columns: sql`x.id, x.device_id, x.serial, x.account_email, x.began_at, x.ended_at, x.end_reason, x.bytes::float8 as bytes,
      case when x.client_mac is not null
        then json_build_object('mac', x.client_mac, 'address', x.client_address, 'port', x.client_port) end as client,
      ${nameOfDevice} as name`,
    segments: [{ from: table, keys, descending: true }],
  }),
  toDto: ({
    id,
    device_id,
    name,
    serial,
    account_email,
    began_at,
    ended_at,
    end_reason,
    client,
    bytes,
  }: RecordingRow): recordings.Recording => ({
    id,
    device: device_id,
    name,
    serial,
    by: account_email,
    began: epochSeconds(began_at),
    ended: ended_at === null ? null : epochSeconds(ended_at),
    end: end_reason,
    client,
    bytes,
  }),
});

/** What the log says about the end of a recording. */
export interface LoggedSeal {
  readonly sha256: string | null;
  readonly chunks: number | null;
}

/** The log entry of the end of a recording; undefined when it was deleted after its retention. */
export async function findLoggedSeal(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { id, ended_at: endedAt }: Pick<FoundRecording, 'id' | 'ended_at'>,
): Promise<LoggedSeal | undefined> {
  const { rows } =
    await sql<LoggedSeal>`select detail ->> 'sha256' as sha256, (detail ->> 'chunks')::integer as chunks from audit_entries
    where chain_id = ${organizationId}::uuid and at = ${endedAt}::timestamptz and detail ->> 'recording' = ${id} limit 1`.execute(
      queries,
    );
  return rows[0];
}

export type FoundRecording = Row<
  'recordings',
  'id' | 'device_id' | 'serial' | 'account_email' | 'began_at' | 'ended_at' | 'chunks' | 'hash'
>;

/** Whether an organization has its terminals recorded; the usual settings before it chose. */
export async function readRecordingSettings(
  queries: Queries,
  { organizationId }: OrganizationScope,
): Promise<recordings.RecordingSettings> {
  const row = await queries
    .selectFrom('recording_settings')
    .select(['is_recorded', 'days'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return { recorded: row?.is_recorded ?? false, days: row?.days ?? RECORDING_DAYS.usual };
}

/** A recording of the organization; undefined also for an invalid id. */
export async function findRecording(
  queries: Queries,
  { organizationId }: OrganizationScope,
  id: string,
): Promise<FoundRecording | undefined> {
  if (!isId(id)) return undefined;
  return queries
    .selectFrom('recordings')
    .select(['id', 'device_id', 'serial', 'account_email', 'began_at', 'ended_at', 'chunks', 'hash'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}
