import type { bulkJobs } from '@highline/contract';
import { DomainError, sanitizeLine, type OrganizationScope } from '../../kernel/index.ts';
import type { CommandRuns } from '../commands/index.ts';
import type { ItemResult, ItemRow, OwnJob } from './bulk-job.ts';

/** Routers of one batch, and how many of them are called at the same time. */
export const COMMAND_BATCH = 50;
const AT_ONCE = 10;

const reasons: Partial<Record<string, bulkJobs.ItemReason>> = {
  not_found: 'gone',
  'command.not_found': 'command.not_found',
  'command.offline': 'command.offline',
  'command.no_answer': 'command.no_answer',
  'permission.denied': 'permission.denied',
  // Of a node of a version before decision 0092.
  'session.invalid': 'session.invalid',
};

/**
 * Run the command of a job on the routers of these items, each at most once.
 * @param sees whether the author may act on a device
 * @param mayContinue false = the rest is not sent
 * @returns the results, and the items that were not sent
 */
export async function runCommands(
  runs: CommandRuns,
  job: OwnJob,
  items: readonly ItemRow[],
  sees: (deviceId: string) => Promise<boolean>,
  mayContinue: () => boolean,
): Promise<{ readonly results: ItemResult[]; readonly unsent: readonly ItemRow[] }> {
  const results: ItemResult[] = [];
  const unsent = [...items];
  const work = async () => {
    while (unsent.length > 0 && mayContinue()) {
      results.push(await runCommand(runs, job, unsent.shift()!, sees));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { results, unsent };
}

async function runCommand(
  runs: CommandRuns,
  job: OwnJob,
  { n, organization_id, device_id }: ItemRow,
  sees: (deviceId: string) => Promise<boolean>,
): Promise<ItemResult> {
  const owner: OrganizationScope = {
    kind: 'organization',
    mainAccountId: job.main_account_id,
    organizationId: organization_id,
  };
  const command = job.action.kind === 'command' ? job.action.command : '';
  try {
    if (device_id === null || !(await sees(device_id))) return { n, state: 'skipped', reason: 'gone' };
    const reply = await runs.run(owner, job.actor, command, device_id, true);
    if (!('code' in reply)) return { n, state: 'done' };
    const reason = reply.outcome === 'unsupported' ? 'command.unsupported' : 'command.rejected';
    return { n, state: 'failed', reason, message: sanitizeLine(reply.message) ?? null };
  } catch (error) {
    const reason = error instanceof DomainError ? (reasons[error.key] ?? 'internal') : 'internal';
    return { n, state: reason === 'gone' ? 'skipped' : 'failed', reason };
  }
}
