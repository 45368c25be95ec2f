import { DomainError, type OrganizationScope } from '../../kernel/index.ts';
import { bulkJobs } from '@highline/contract';
import type { Allowed } from '../accounts/index.ts';
import { withinLimit, withoutLimit } from '../../platform/calls/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import {
  changeDevices,
  deleteInBulk,
  moveChange,
  restoringChange,
  subscriptionChange,
  tagsChange,
  type BulkChange,
  type BulkOutcome,
} from '../devices/index.ts';
import { sendToMany, type SendOutcome } from '../commands/index.ts';
import type { ItemResult, ItemRow, OwnJob, StoredAction } from './bulk-job.ts';
import { advance, nextItems, writeResults } from './bulk-jobs.store.ts';

/** Devices of one transaction. */
export const CHANGE_BATCH = 2_000;

/** Routers whose connections are to be closed, once the batch is committed. */
export interface BatchEnd {
  readonly disconnected: readonly string[];
}

/**
 * Change the next devices of a job, with their results, in one transaction that has locked the job. Run it in `untilStill`.
 * @param allowed what the author may do now; within a call its own limit counts. A device that is not seen any more reads as gone
 */
export async function changeBatch(tx: Tx, job: OwnJob, { limit }: Allowed, now: Date): Promise<BatchEnd> {
  const items = (await nextItems(tx, job, CHANGE_BATCH)).filter(isDevice);
  const disconnected: string[] = [];
  const byOrganization = Map.groupBy(items, (item) => item.organization_id);
  const results: ItemResult[] = [];
  // Logs are locked in the order of their ids, as everywhere.
  for (const organizationId of [...byOrganization.keys()].sort()) {
    const own = byOrganization.get(organizationId)!;
    const owner: OrganizationScope = { kind: 'organization', mainAccountId: job.main_account_id, organizationId };
    const { outcomes, routerIds } = await withinLimit(tx, limit, () => changeOwn(tx, owner, job, own, now));
    disconnected.push(...routerIds);
    for (const { n, device_id } of own) results.push({ n, ...outcomes.get(device_id)! });
  }
  // A device that the change itself has taken out of sight has a result too.
  await withoutLimit(tx, async () => {
    if (results.length > 0) await writeResults(tx, job, results, 'waiting');
    await advance(tx, job, items.at(-1)?.n ?? job.total, now);
  });
  return { disconnected };
}

type DeviceItem = ItemRow & { readonly device_id: string };

const isDevice = (item: ItemRow): item is DeviceItem => item.device_id !== null;

interface OwnEnd {
  readonly outcomes: ReadonlyMap<string, BulkOutcome | SendOutcome>;
  readonly routerIds: readonly string[];
}

async function changeOwn(
  tx: Tx,
  owner: OrganizationScope,
  job: OwnJob,
  items: readonly DeviceItem[],
  now: Date,
): Promise<OwnEnd> {
  const ids = items.map(({ device_id }) => device_id);
  if (job.action.kind === 'delete') return deleteInBulk(tx, owner, job.actor, ids, now);
  if (job.action.kind === 'send')
    return { outcomes: await sendToMany(tx, owner, job.actor, { ...job.action, job: job.id }, ids, now), routerIds: [] };
  const change = changeOf(job.action);
  const before = new Map(items.map(({ device_id, target }) => [device_id, target as never]));
  const applied = job.is_undo ? restoringChange(change, before) : change;
  return { outcomes: await changeDevices(tx, owner, job.actor, applied, ids, now), routerIds: [] };
}

function changeOf(action: StoredAction): BulkChange {
  switch (action.kind) {
    case 'move':
      return moveChange(action.group, action.name);
    case 'subscription':
      return subscriptionChange({ startedOn: action.startedOn, expiresOn: action.expiresOn });
    case 'tags':
      return tagsChange(action);
    default:
      throw new Error(`A job of the kind ${action.kind} changes no value.`);
  }
}

/** Give the next devices of a job, or its next row, no other result than a failure, and continue after them. */
export async function failBatch(tx: Tx, job: OwnJob, error: unknown, now: Date): Promise<void> {
  const key = error instanceof DomainError ? error.key : 'internal';
  const known: readonly string[] = bulkJobs.itemReasons;
  const reason = known.includes(key) ? (key as bulkJobs.ItemReason) : 'internal';
  // Each row is deleted by itself: none of those after it was tried.
  const items = await nextItems(tx, job, job.action.kind === 'remove' ? 1 : CHANGE_BATCH);
  await writeResults(
    tx,
    job,
    items.map(({ n }) => ({ n, state: 'failed', reason })),
    'waiting',
  );
  await advance(tx, job, items.at(-1)?.n ?? job.total, now);
}
