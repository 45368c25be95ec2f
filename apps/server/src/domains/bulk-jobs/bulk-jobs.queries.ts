// Reads tables of other domains: devices.
import { bulkJobs, DEFAULT_GROUP_KEY } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type MainScope, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { defineList, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { currentLimit } from '../../platform/calls/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { devicesMatching, devicesOf } from '../devices/index.ts';
import type { Arrival } from '../rollouts/index.ts';
import type { DeviceFilter, FormerItems, OwnJob, StoredAction } from './bulk-job.ts';
import { toItemDto, toJobDto, type ItemResultRow } from './bulk-job.dto.ts';
import { jobsOf, type SelectedDevice } from './bulk-jobs.store.ts';

const table = sql`bulk_jobs j`;

/** Jobs of a scope, the newest first. */
export const jobList = defineList({
  of: (scope: Scope, query: z.output<typeof bulkJobs.listJobs.query>) => ({
    name: 'jobs',
    table,
    alias: 'j',
    identity: ['id'],
    scope: jobsOf(scope),
    filters: query.active === undefined ? [] : [sql`j.ended_at is null`],
    estimatable: true,
    columns: sql`j.*`,
    segments: [{ from: table, keys: [{ column: sql`j.id`, kind: 'uuid' as const }], descending: true }],
  }),
  toDto: (row: OwnJob) => toJobDto(row),
});

/** A job of the scope, or undefined; also for an invalid id. */
export async function findJob(reader: Reader, scope: Scope, id: string): Promise<OwnJob | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await reader.rows<OwnJob>(sql`select j.* from bulk_jobs j where j.id = ${id}::uuid and ${jobsOf(scope)}`, true);
  return row;
}

const items = sql`bulk_job_items i`;

/** The devices of a job that the caller's scope covers, with their results. */
export const itemList = (job: OwnJob) =>
  defineList({
    of: (_: Scope, { state }: z.output<typeof bulkJobs.listItems.query>) => ({
      name: 'job-items',
      dependsOn: job.id,
      table: items,
      alias: 'i',
      identity: ['job_id', 'n'],
      ownKey: 'n',
      scope: sql`i.job_id = ${job.id}::uuid`,
      filters: state === undefined ? [] : [sql`i.state = ${state}`],
      estimatable: true,
      columns: sql`i.n, i.device_id, i.subject, i.organization_id, i.serial, i.state, i.reason, i.message, d.vehicle_number`,
      joins: sql`left join devices d on d.organization_id = i.organization_id and d.id = i.device_id`,
      segments: [{ from: items, keys: [{ column: sql`i.n`, kind: 'number' as const }], descending: false }],
      // Someone who is limited does not see devices that have left the limit.
      ...(currentLimit() === undefined && { count: countOf(job, state) }),
    }),
    toDto: (row: ItemResultRow) => toItemDto(row),
  });

/** The job knows its numbers, except for devices that wait or are being sent to. */
function countOf(job: OwnJob, state: bulkJobs.ItemState | undefined): Fragment {
  const column = state === undefined ? 'total' : state;
  if (column === 'waiting' || column === 'sending')
    return sql`select count(*)::int as total from bulk_job_items i where i.job_id = ${job.id}::uuid and i.state = ${column}
      and i.n >= ${column === 'waiting' ? job.next_n : 0}`;
  return sql`select ${sql.ref(`j.${column}`)} as total from bulk_jobs j where j.id = ${job.id}::uuid`;
}

/** Selected devices, as a condition on `devices d`. */
export function selected(
  scope: Scope,
  selection: { readonly devices: readonly string[] } | { readonly filter: DeviceFilter },
  expiringDays: number,
  now: Date,
): Fragment {
  if ('filter' in selection) return devicesMatching(scope, selection.filter, expiringDays, now);
  return sql`${devicesOf(scope)} and d.id = any (${[...selection.devices]}::uuid[])`;
}

/** The first devices of a selection by serial number. */
export async function pageDevices(tx: Tx, scope: Scope, devices: Fragment, limit: number): Promise<SelectedDevice[]> {
  const { rows } = await sql<SelectedDevice>`select d.organization_id, d.id as device_id, d.serial from devices d
    where ${devicesOf(scope)} and ${devices} order by d.serial, d.id limit ${limit}`.execute(tx);
  return rows;
}

/** How many devices a selection has, how many of them are online, how many have the desired value already, and what stands for all of them. */
export async function countSelected(
  reader: Pick<Reader, 'rows'>,
  scope: Scope,
  devices: Fragment,
  action: StoredAction,
): Promise<Omit<bulkJobs.JobPreview, 'arrivals'>> {
  const [row] = await reader.rows<Omit<bulkJobs.JobPreview, 'arrivals'>>(
    sql`select count(*)::int as devices, (count(*) filter (where d.presence = 'online'))::int as online,
      (count(*) filter (where ${alreadyDone(action)}))::int as unchanged,
      count(*) || '-' || to_hex(coalesce(bit_xor(uuid_hash_extended(d.id, 0)), 0)) as confirmation,
      ${action.kind === 'delete' ? sql`case when count(*) <= ${bulkJobs.MAX_SELECTED} then coalesce(array_agg(d.id), '{}') end` : sql`null::uuid[]`} as ids
      from devices d
      where ${devicesOf(scope)} and ${devices}`,
  );
  return row!;
}

function alreadyDone(action: StoredAction): Fragment {
  switch (action.kind) {
    case 'move':
      return sql`d.group_key = ${action.group}`;
    case 'subscription':
      return sql`d.started_on = ${action.startedOn}::date and d.expires_on = ${action.expiresOn}::date`;
    case 'tags':
      return sql`d.tags @> ${[...action.add]}::text[] and not d.tags && ${[...action.remove]}::text[]`;
    default:
      return sql`false`;
  }
}

/** The ids of rows of another list whose items a job follows. */
export async function listFormerRows(tx: Tx, { mainAccountId }: MainScope, { job, state }: FormerItems): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`select i.subject from bulk_job_items i
    join bulk_jobs j on j.id = i.job_id and j.main_account_id = ${mainAccountId}::uuid
    where i.job_id = ${job}::uuid and i.state = ${state} and i.subject is not null`.execute(tx);
  return rows.map(({ subject }) => subject);
}

const itemsOf = ({ organizationId }: OrganizationScope, { job, state }: FormerItems) => sql`from bulk_job_items i
  where i.job_id = ${job}::uuid and i.state = ${state} and i.organization_id = ${organizationId}::uuid`;

/** The devices whose items a job follows, as a condition on `devices d`. */
export const devicesOfItems = (scope: OrganizationScope, source: FormerItems): Fragment =>
  sql`d.id in (select i.device_id ${itemsOf(scope, source)})`;

/** The devices that join groups where an action is done with items of another job. @param isUndo each returns to its former group */
export async function listArrivals(
  tx: Tx,
  scope: OrganizationScope,
  action: StoredAction,
  source: FormerItems,
  isUndo: boolean,
): Promise<Arrival[]> {
  const chosen = itemsOf(scope, source);
  if (action.kind === 'remove' && action.list === 'groups')
    return [{ group: DEFAULT_GROUP_KEY, joining: sql`d.group_key in (select i.subject ${chosen})` }];
  if (action.kind !== 'move') return [];
  if (!isUndo) {
    const joining = sql`${devicesOfItems(scope, source)} and d.group_key <> ${action.group}`;
    return [{ group: action.group, joining }];
  }
  const value = sql`${sql.ref(`i.${source.target}`)} #>> '{}'`;
  const { rows } = await sql<{ key: string }>`select distinct ${value} as key ${chosen}`.execute(tx);
  // Those that were moved again since stay where they are.
  return rows.map(({ key }) => ({
    group: key,
    joining: sql`d.id in (select i.device_id ${chosen} and ${value} = ${key}) and d.group_key = ${action.group}`,
  }));
}
