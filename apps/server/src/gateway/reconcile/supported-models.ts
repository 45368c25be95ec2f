import { VEHICLE } from '../mapping/index.ts';
import type { Session } from '../session.ts';

/** Models remembered; a fleet has a handful. */
const MOST = 1_000;

/**
 * Which vendor extensions a kind of router has, by its GetSupportedDM: asked once per model and firmware of a main account, since
 * it cannot differ between two of them.
 */
export class SupportedModels {
  readonly #hasBattery = new Map<string, boolean>();

  /** Whether the agent has Device.X_HIGHLINE_Vehicle.BatteryCharge. @throws NoAnswer */
  async hasBattery(session: Session, model: string, firmware: string): Promise<boolean> {
    const key = JSON.stringify([session.router.mainAccountId, model, firmware]);
    const known = this.#hasBattery.get(key);
    if (known !== undefined) return known;
    const answer = await session.ask<'get_supported_dm'>({
      type: 'get_supported_dm',
      objPaths: [VEHICLE],
      firstLevelOnly: true,
      returnCommands: false,
      returnEvents: false,
      returnParams: true,
      returnUniqueKeySets: false,
    });
    const objects = answer.type === 'error' ? [] : answer.reqObjResults.flatMap((result) => result.supportedObjs);
    const found = objects.some(
      ({ supportedObjPath, supportedParams }) =>
        supportedObjPath === VEHICLE && supportedParams.some(({ paramName }) => paramName === 'BatteryCharge'),
    );
    if (this.#hasBattery.size >= MOST) this.#hasBattery.clear();
    this.#hasBattery.set(key, found);
    return found;
  }
}
