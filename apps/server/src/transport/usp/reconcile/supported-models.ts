import type { SupportedObject } from '@highline/usp';
import { GPS, INFO, SIMS, VEHICLE } from '../../../kernel/tr181.ts';
import type { OfferedOperation } from '../../../platform/ports/index.ts';
import { commandsOfModel, hasEntry } from '../operations.ts';
import type { Session } from '../session.ts';
import { readSupportedObjects } from '../supported-objects.ts';

/** Models cached, of all organizations; each has a handful. */
const MOST = 10_000;

const OBJECTS = [...new Set([VEHICLE, GPS, INFO, ...commandsOfModel.map(({ object }) => object)])];

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
 * Parameters and commands of a router model, from GetSupportedDM: read once per model and firmware of an organization, since
 * routers of one model and firmware cannot differ. Both are the router's own report, so its answer never counts for another
 * organization. Read once per router in stock, and when an agent reports either as empty.
 */
export class SupportedModels {
  readonly #known = new Map<string, Abilities>();

  /**
   * @param hasEuicc part of the key: a router of the same model may have a plain SIM instead
   * @returns undefined when the agent could not say: ask again later
   * @throws NoResponse
   */
  async find(session: Session, model: string, firmware: string, hasEuicc: boolean): Promise<Abilities | undefined> {
    const { organizationId, routerId } = session.router;
    // Agents that report no model or no version may differ from each other: cache by router.
    const isShared = organizationId !== null && model !== '' && firmware !== '';
    const key = JSON.stringify([isShared ? organizationId : routerId, model, firmware, hasEuicc]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const objects = await readSupportedObjects(
      session,
      OBJECTS.filter((object) => hasEuicc || !object.startsWith(SIMS)),
    );
    if (objects === undefined) return undefined;
    const found = abilitiesOf(objects);
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
