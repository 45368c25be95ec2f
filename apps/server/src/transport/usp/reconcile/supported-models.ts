import type { SupportedObject } from '@highline/usp';
import { GPS, INFO, SIMS, VEHICLE } from '../../../kernel/tr181.ts';
import type { OfferedOperation } from '../../../platform/ports/index.ts';
import { commandsOfModel, hasEntry } from '../operations.ts';
import type { Session } from '../session.ts';

/** Models cached; a fleet has a handful. */
const MOST = 1_000;

/** Abilities of a router model beyond the common ones. */
export interface Abilities {
  /** Device.X_HIGHLINE_Vehicle.BatteryCharge. */
  readonly hasBattery: boolean;
  /** Device.X_HIGHLINE_GPS.Trail. */
  readonly hasTrail: boolean;
  /** FirmwareImage.{i}.Download(). */
  readonly firmware: boolean;
  /** BootFirmwareImage can be set. */
  readonly bootable: boolean;
  /** VendorConfigFile.{i}.Restore(). */
  readonly config: boolean;
  /** SIM.{i}.X_HIGHLINE_DownloadProfile(), and the commands of its profiles. */
  readonly esim: boolean;
  /** Every operation that it has. */
  readonly offers: readonly OfferedOperation[];
}

/**
 * Parameters and commands of a router model, from GetSupportedDM: read once per model and firmware of a main account, since
 * routers of one model and firmware cannot differ. Read once per router when an agent reports either as empty.
 */
export class SupportedModels {
  readonly #known = new Map<string, Abilities>();

  /**
   * @param hasEuicc part of the key: a router of the same model may have a plain SIM instead
   * @throws NoResponse
   */
  async find(session: Session, model: string, firmware: string, hasEuicc: boolean): Promise<Abilities> {
    const { mainAccountId, routerId } = session.router;
    // Agents that report no model or no version may differ from each other: cache by router.
    const kind = model === '' || firmware === '' ? [routerId] : [model, firmware];
    const key = JSON.stringify([mainAccountId, ...kind, hasEuicc]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const response = await session.ask<'get_supported_dm'>({
      type: 'get_supported_dm',
      objPaths: [
        VEHICLE,
        GPS,
        INFO,
        ...new Set(commandsOfModel.map(({ object }) => object).filter((object) => hasEuicc || !object.startsWith(SIMS))),
      ],
      firstLevelOnly: true,
      returnCommands: true,
      returnEvents: false,
      returnParams: true,
      returnUniqueKeySets: false,
    });
    const found = abilitiesOf(response.type === 'error' ? [] : response.reqObjResults.flatMap((result) => result.supportedObjs));
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }
}

function abilitiesOf(objects: readonly SupportedObject[]): Abilities {
  const at = (path: string) => objects.filter(({ supportedObjPath }) => supportedObjPath === path);
  const params = (path: string, name: string) =>
    at(path).flatMap(({ supportedParams }) => supportedParams.filter(({ paramName }) => paramName === name));
  const offers = new Set(commandsOfModel.filter((entry) => hasEntry(objects, entry)).map(({ operation }) => operation));
  return {
    hasBattery: params(VEHICLE, 'BatteryCharge').length > 0,
    hasTrail: params(GPS, 'Trail').length > 0,
    firmware: offers.has('install-firmware'),
    bootable: params(INFO, 'BootFirmwareImage').some(({ access }) => access !== 'PARAM_READ_ONLY'),
    config: offers.has('restore-config'),
    esim: offers.has('download-profile') && offers.has('enable-profile') && offers.has('delete-profile'),
    offers: [...offers],
  };
}
