import { asObjectPath } from '@highline/usp';
import type { Database } from '../../../ports/database.ts';
import { isUnreachable, type DeviceLink } from '../../../ports/device-link.ts';
import type { Log } from '../../../ports/log.ts';
import { forgetChoice, type BootChoice } from './boot-choices.store.ts';
import type { RouterNews } from './settle.ts';

export interface TakeBackDeps {
  readonly database: Database;
  readonly deviceLink: DeviceLink;
  readonly log: Log;
  readonly answerMs: number;
}

const INFO = 'Device.DeviceInfo.';
const ACTIVE = 'ActiveFirmwareImage';
const CHOSEN = 'BootFirmwareImage';

/** Has routers take choices back. @returns news of one that has, since whatever is bound now may begin; undefined = it comes again */
export function createTakeBack(deps: TakeBackDeps): (choice: BootChoice) => Promise<RouterNews | undefined> {
  // Two at once would cross what comes after the first.
  const asked = new Set<string>();
  return async (choice) => {
    const { routerId } = choice;
    if (asked.has(routerId)) return undefined;
    asked.add(routerId);
    try {
      if (!(await takeBack(deps, choice))) return undefined;
      await deps.database.write((tx) => forgetChoice(tx, choice));
      return { routerId };
    } catch (error) {
      deps.log.warn({ err: error, routerId }, 'A choice that a router took back is looked at once more.');
      return undefined;
    } finally {
      asked.delete(routerId);
    }
  };
}

/**
 * Have a router start what it runs instead of what it chose (TR-181 DeviceInfo.BootFirmwareImage). One that has started it meanwhile,
 * or chose anew by somebody else's word, is left alone.
 * @returns whether there is nothing more to do; false when the router gave no answer
 */
async function takeBack({ deviceLink, log, answerMs }: TakeBackDeps, { routerId, slot }: BootChoice): Promise<boolean> {
  try {
    const told = await deviceLink.get(routerId, [`${INFO}${ACTIVE}`, `${INFO}${CHOSEN}`], answerMs);
    const [active, chosen] = [pathOf(told.get(`${INFO}${ACTIVE}`)), pathOf(told.get(`${INFO}${CHOSEN}`))];
    if (active === '' || active === pathOf(slot) || chosen !== pathOf(slot)) return true;
    const refusal = await deviceLink.set(routerId, INFO, new Map([[CHOSEN, active]]), answerMs);
    if (refusal !== undefined)
      log.warn({ routerId, code: refusal.code }, 'A router keeps firmware for its next boot that its group no longer has.');
    return true;
  } catch (error) {
    if (!isUnreachable(error)) log.error({ err: error, routerId }, 'A router could not be asked to leave its firmware as it is.');
    return false;
  }
}

/** Agents write the path of an image with and without its final dot; empty = none. */
function pathOf(path: string | undefined): string {
  return asObjectPath(path ?? '').slice(0, -1);
}
