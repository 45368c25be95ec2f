import { asObjectPath } from '@highline/usp';
import { INFO } from '../../../kernel/tr181.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { isUnreachable } from '../../../platform/ports/device-link.ts';
import { recordRouterEvents, type RouterEvent } from '../../router-state/index.ts';
import { deleteChoice, type BootChoice } from './boot-choices.job.queries.ts';
import type { RolloutEvent } from './reconcile.ts';

export interface BootChoiceRevertDeps extends Pick<Deps, 'clock' | 'database' | 'deviceLink' | 'log'> {
  readonly responseMs: number;
}

const ACTIVE = 'ActiveFirmwareImage';
const CHOSEN = 'BootFirmwareImage';

/**
 * Makes routers revert their boot choices. @returns an event of a router that did, since a bound file may begin now; undefined =
 * retry later
 */
export function createBootChoiceRevert(deps: BootChoiceRevertDeps): (choice: BootChoice) => Promise<RolloutEvent | undefined> {
  // Two reverts at once could undo what the first one made possible.
  const requested = new Set<string>();
  return async (choice) => {
    const { routerId } = choice;
    if (requested.has(routerId)) return undefined;
    requested.add(routerId);
    try {
      const result = await revertBootChoice(deps, choice);
      if (result === undefined) return undefined;
      await deps.database.write(async (tx) => {
        await deleteChoice(tx, choice);
        if (result === 'rejected') await recordRouterEvents(tx, [rejection(choice)], deps.clock.now());
      });
      return { routerId };
    } catch (error) {
      deps.log.warn({ err: error, routerId }, 'Failed to store a reverted boot choice; it will be retried.');
      return undefined;
    } finally {
      requested.delete(routerId);
    }
  };
}

/**
 * Make a router boot what it runs instead of what it chose (TR-181 DeviceInfo.BootFirmwareImage). A router that has booted its
 * choice meanwhile, or chose again for another reason, is left alone.
 * @returns undefined when the router gave no response
 */
export async function revertBootChoice(
  { deviceLink, log, responseMs }: BootChoiceRevertDeps,
  { routerId, slot }: BootChoice,
): Promise<'reverted' | 'rejected' | undefined> {
  try {
    const reported = await deviceLink.readValues(routerId, [`${INFO}${ACTIVE}`, `${INFO}${CHOSEN}`], responseMs);
    const [active, chosen] = [pathOf(reported.get(`${INFO}${ACTIVE}`)), pathOf(reported.get(`${INFO}${CHOSEN}`))];
    if (active === '' || active === pathOf(slot) || chosen !== pathOf(slot)) return 'reverted';
    const choice = { type: 'set-values', object: INFO, values: new Map([[CHOSEN, active]]) } as const;
    const outcome = await deviceLink.operate(routerId, choice, { timeoutMs: responseMs });
    if (outcome.type !== 'failed') return 'reverted';
    log.warn(
      { routerId, cause: outcome.cause, code: outcome.code },
      'A router rejected reverting its boot choice and starts the firmware that it has ready.',
    );
    return 'rejected';
  } catch (error) {
    if (!isUnreachable(error)) log.error({ err: error, routerId }, 'Failed to revert the boot choice of a router.');
    return undefined;
  }
}

/** On the timeline of the router: its rollout may have ended, so its slot names what it starts. */
function rejection({ routerId, slot }: BootChoice): RouterEvent {
  const label = pathOf(slot).split('.').slice(-2).join('.');
  return { routerId, kind: 'rollout', subject: 'firmware', label, state: 'waiting', reason: 'not-reverted' };
}

/** Agents write the path of an image with and without its final dot; empty = none. */
function pathOf(path: string | undefined): string {
  return asObjectPath(path ?? '').slice(0, -1);
}
