import { Disk, type BootReason, type KeptState } from './disk.ts';
import type { AgentEvent } from './events.ts';
import { Life } from './life.ts';
import type { DataModel } from './model/data-model.ts';
import { factoryModel, keptModel } from './model/factory.ts';
import { renumberNetworks } from './model/networks.ts';
import { SUBSCRIPTIONS } from './model/subscriptions.ts';
import { traitsOf, type TraitChoice, type Traits } from './traits.ts';

const INFO = 'Device.DeviceInfo.';
const POWER_CUT: BootReason = { cause: 'LocalReboot', commandKey: '', isFirmwareUpdated: false };

/**
 * A USP agent that supports TR-369 and TR-181 strictly and nothing else: without vendor extensions, with enforced read-only and
 * unique-key rules, with small ranges. It really downloads, verifies and restarts, and keeps its state on disk. It shares no code
 * with our own router agent or packages/usp, so that the cloud and it can only agree on the standard.
 */
export class StrictAgent {
  readonly traits: Traits;
  /** All events since it was created, over all its starts. */
  readonly events: AgentEvent[] = [];
  readonly #disk: Disk;
  readonly #listener: ((event: AgentEvent) => void) | undefined;
  #life: Life | undefined;
  #model: DataModel | undefined;

  constructor(choice: TraitChoice, listener?: (event: AgentEvent) => void) {
    this.traits = traitsOf(choice);
    this.#disk = new Disk(this.traits.stateDir);
    this.#listener = listener;
  }

  get isConnected(): boolean {
    return this.#life?.isConnected === true;
  }

  /** Notifications that the controller has not answered. */
  get unacknowledged(): number {
    return this.#life?.unacknowledged ?? 0;
  }

  /** IDs of its subscriptions. */
  get subscriptions(): string[] {
    const model = this.#model;
    return (model?.instances(SUBSCRIPTIONS) ?? []).map((path) => model?.value(`${path}ID`) ?? '');
  }

  /** Value of a parameter by its full path; undefined when it does not exist. */
  value(path: string): string | undefined {
    return this.#model?.value(path);
  }

  /** Number of events of a kind. */
  count(event: AgentEvent['event']): number {
    return this.events.filter((each) => each.event === event).length;
  }

  /** Received commands, in order. */
  get commands(): string[] {
    return this.events.flatMap((each) => (each.event === 'command' ? [each.command] : []));
  }

  powerOn(): void {
    this.#boot(this.#disk.load());
  }

  /** The power is gone: nothing is sent or written any more. */
  cutPower(): void {
    this.#life?.end();
    this.#life = undefined;
  }

  /** Restart at the router itself. */
  reboot(): void {
    this.#restart(POWER_CUT, false);
  }

  /** The reset button: deletes what a controller set up, without a notification. */
  resetToFactory(): void {
    this.#restart({ cause: 'LocalFactoryReset', commandKey: '', isFirmwareUpdated: false }, true);
  }

  loseCoverage(): void {
    this.#life?.loseCoverage();
  }

  regainCoverage(): void {
    this.#life?.regainCoverage();
  }

  /** Change a value of the agent itself, such as a measured one. */
  change(path: string, value: string): void {
    this.#life?.change(path, value);
  }

  /** Delete an object at the router itself, as by hand. */
  remove(path: string): void {
    this.#life?.remove(path);
  }

  #restart(boot: BootReason, isReset: boolean): void {
    const model = this.#model!;
    this.cutPower();
    const { hasStalled } = this.#disk.load()!;
    if (isReset) this.#disk.save({ model: this.#resetModel(model).state(), boot, hasStalled });
    else this.#disk.save({ model: model.state(), boot, hasStalled });
    this.powerOn();
  }

  /** A factory reset keeps the firmware images. */
  #resetModel(before: DataModel): DataModel {
    const model = factoryModel(this.traits);
    const images = before.objectsBelow(`${INFO}FirmwareImage.`);
    for (const path of images) for (const [name, value] of before.parametersOf(path)) model.write(path + name, value);
    for (const name of ['SoftwareVersion', 'ActiveFirmwareImage', 'BootFirmwareImage']) {
      const value = before.value(INFO + name);
      if (value !== undefined) model.write(INFO + name, value);
    }
    return model;
  }

  #boot(kept: KeptState | undefined): void {
    const model = kept === undefined ? factoryModel(this.traits) : keptModel(this.traits, kept.model);
    const isUpdated = startImage(model, this.traits);
    if (kept !== undefined) dropTemporary(model);
    if (kept !== undefined && this.traits.renumbersNetworks) renumberNetworks(model);
    this.#model = model;
    const boot = { ...POWER_CUT, ...kept?.boot };
    this.#life = new Life({
      traits: this.traits,
      disk: this.#disk,
      model,
      boot: { ...boot, isFirmwareUpdated: isUpdated },
      hasStalled: kept?.hasStalled ?? false,
      restart: (reason, isReset) => this.#restart(reason, isReset),
      emit: (event) => this.#emit(event),
    });
    this.#emit({ event: 'booted', cause: boot.cause, firmware: model.value(`${INFO}SoftwareVersion`) ?? '' });
    this.#life.begin();
  }

  #emit(event: AgentEvent): void {
    this.events.push(event);
    this.#listener?.(event);
  }
}

/** Start the image chosen for this boot. @returns whether it differs from the previous one */
function startImage(model: DataModel, { firmware }: Traits): boolean {
  const [active, chosen] = ['ActiveFirmwareImage', 'BootFirmwareImage'].map((name) => model.value(INFO + name));
  if (active === undefined || chosen === undefined || active === chosen) return false;
  model.write(`${active}.Status`, 'Available');
  model.write(`${chosen}.Status`, 'Active');
  model.write(`${INFO}ActiveFirmwareImage`, chosen);
  // An agent without a version does not report one for a new image either.
  if (firmware !== '') model.write(`${INFO}SoftwareVersion`, model.value(`${chosen}.Version`) ?? '');
  return true;
}

/** TR-181 Subscription.{i}.Persistent: the others end with a restart. */
function dropTemporary(model: DataModel): void {
  for (const path of model.instances(SUBSCRIPTIONS)) if (model.value(`${path}Persistent`) !== 'true') model.remove(path);
}
